@NullMarked
package io.tidemark.avro.object;

import org.jspecify.annotations.NullMarked;
