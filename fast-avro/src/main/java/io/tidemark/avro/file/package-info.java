/**
 * Avro object container files, whose blocks are filled and compressed in parallel and appended in
 * order.
 */
@NullMarked
package io.tidemark.avro.file;

import org.jspecify.annotations.NullMarked;
