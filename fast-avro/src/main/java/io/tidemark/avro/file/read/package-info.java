/**
 * Reads Avro object container files whose blocks are read ahead and decompressed in parallel. Start
 * with {@link FastDataFileReader}.
 */
@NullMarked
package io.tidemark.avro.file.read;

import org.jspecify.annotations.NullMarked;
