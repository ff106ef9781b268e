package io.tidemark.benchmarks.contenders;

import io.tidemark.benchmarks.records.ReferenceRecord;
import java.io.OutputStream;
import java.util.Optional;
import org.apache.avro.Schema;

/**
 * A work on an array of datums.
 *
 * @param mapped how datums are converted to the table schema, if resolution is not enough
 * @param codec Avro's name of the codec, at Avro's default level: null, snappy, deflate, zstandard
 * @param parallelism the number of threads that compress one file; 1 except for {@link
 *     Work#ONE_FILE}
 * @param datums the input of each pass, shared by all threads and never changed
 * @param sink receives the output
 */
@SuppressWarnings("ArrayRecordComponent") // Input of a benchmark, never compared.
public record Job(
    Work work,
    Schema writerSchema,
    Schema tableSchema,
    Optional<ReferenceRecord.Mapped> mapped,
    String codec,
    int parallelism,
    byte[][] datums,
    OutputStream sink) {

  /** The size of a block in bytes of uncompressed records, for every contender: 64 KiB. */
  public static final int BLOCK_SIZE_BYTES = 64 * 1024;

  /** Creates a job for one thread. */
  public Job(
      Work work,
      Schema writerSchema,
      Schema tableSchema,
      String codec,
      byte[][] datums,
      OutputStream sink) {
    this(work, writerSchema, tableSchema, Optional.empty(), codec, 1, datums, sink);
  }
}
