/**
 * Avro object container files, whose blocks are read ahead, decompressed in parallel and given in
 * order. {@link FastDataFileReader} is the entry.
 */
@NullMarked
package io.tidemark.avro.file.read;

import org.jspecify.annotations.NullMarked;
