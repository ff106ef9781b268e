/**
 * Avro container files: blocks are filled and compressed in parallel, and written in order. Start
 * with {@link io.tidemark.connect.format.avro.AvroFormat}.
 */
@NullMarked
package io.tidemark.connect.format.avro;

import org.jspecify.annotations.NullMarked;
