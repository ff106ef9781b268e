package io.tidemark.benchmarks.contenders;

import java.io.OutputStream;
import org.apache.avro.Schema;

/**
 * A work on an array of datums.
 *
 * @param codec Avro's name of the codec, at Avro's default level: null, snappy, deflate, zstandard
 * @param datums the input of each pass, shared by all threads and never changed
 * @param sink receives the output
 */
@SuppressWarnings("ArrayRecordComponent") // Input of a benchmark, never compared.
public record Job(
    Work work,
    Schema writerSchema,
    Schema tableSchema,
    String codec,
    byte[][] datums,
    OutputStream sink) {

  /** The size of a block in bytes of uncompressed records, for every contender: 64 KiB. */
  public static final int BLOCK_SIZE_BYTES = 64 * 1024;
}
