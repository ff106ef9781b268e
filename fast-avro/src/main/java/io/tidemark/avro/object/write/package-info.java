/** Generates writers of objects. Internal: any release may change this package. */
@NullMarked
package io.tidemark.avro.object.write;

import org.jspecify.annotations.NullMarked;
