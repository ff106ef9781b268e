/** Generates readers of objects. Internal: it may change with any release. */
@NullMarked
package io.tidemark.avro.object.read;

import org.jspecify.annotations.NullMarked;
