package io.tidemark.benchmarks.contenders;

import java.io.OutputStream;
import org.apache.avro.Schema;

/**
 * A work to be done on an array of datums.
 *
 * @param codec Avro's name of the codec, at Avro's default level: null, snappy, deflate, zstandard
 * @param datums the input of each pass, shared by all threads and never changed
 * @param sink takes the bytes that are made
 */
@SuppressWarnings("ArrayRecordComponent") // Input of a benchmark: compared by nobody.
public record Job(
    Work work,
    Schema writerSchema,
    Schema tableSchema,
    String codec,
    byte[][] datums,
    OutputStream sink) {

  /** How many bytes of uncompressed records make a block, for every contender: 64 KiB. */
  public static final int BLOCK_SIZE_BYTES = 64 * 1024;
}
