/** Generates writers of objects. Internal: it may change with any release. */
@NullMarked
package io.tidemark.avro.object.write;

import org.jspecify.annotations.NullMarked;
