/** Classes that the tests of all packages share. */
@NullMarked
package io.tidemark.avro;

import org.jspecify.annotations.NullMarked;
