/** Generates readers of objects. Internal: any release may change this package. */
@NullMarked
package io.tidemark.avro.object.read;

import org.jspecify.annotations.NullMarked;
