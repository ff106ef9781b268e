package io.tidemark.avro.file;

import io.tidemark.avro.binary.MalformedDatumException;
import io.tidemark.avro.plan.BatchRunner;
import io.tidemark.avro.plan.DatumSink;
import io.tidemark.avro.plan.SourceDatums;
import io.tidemark.avro.plan.TableDatums;
import java.util.Arrays;
import java.util.Objects;

/**
 * The uncompressed records of one chunk. Use it if the file boundaries are not known yet. Append
 * the records of each file to the {@link BlockSequence} of that file. Append each record once, and
 * the records in order.
 *
 * <p>One thread fills a run. Then one thread appends its records to the sequences.
 */
public final class RecordRun implements DatumSink {
  private static final int FIRST_RECORDS = 64;

  private final CompressorPool compressors;
  private final TableDatums datums;
  private int[] ends = new int[FIRST_RECORDS];
  private int records;
  private boolean released;

  /** Creates an empty instance. */
  public RecordRun(CompressorPool compressors) {
    this.compressors = compressors;
    datums = compressors.borrowDatums();
  }

  @Override
  public void append(TableDatums results, int from, int to) {
    if (from == to) {
      return;
    }
    int first = results.offset(from);
    int length = results.end(to - 1) - first;
    int begin = datums.size();
    datums.beginRun(0);
    System.arraycopy(results.bytes(), first, datums.reserve(length), begin, length);
    for (int datum = from; datum < to; datum++) {
      datums.add(begin + results.end(datum) - first);
    }
    takeIn();
  }

  @Override
  public void append(BatchRunner runner, SourceDatums source, int from, int to)
      throws MalformedDatumException {
    datums.beginRun(0);
    try {
      runner.run(source, from, to, datums);
    } finally {
      takeIn();
    }
  }

  @Override
  public long records() {
    return records;
  }

  @Override
  public long rawBytes() {
    return datums.size();
  }

  private void takeIn() {
    int added = datums.runSize();
    if (records + added > ends.length) {
      ends = Arrays.copyOf(ends, Math.max(records + added, 2 * ends.length));
    }
    for (int i = 0; i < added; i++) {
      ends[records++] = datums.end(i);
    }
  }

  /** Returns the array with the records. */
  byte[] bytes() {
    return datums.bytes();
  }

  /** Returns the index of a record's first byte, or the end index of the last record. */
  int begin(int record) {
    return Objects.checkIndex(record, records + 1) == 0 ? 0 : ends[record - 1];
  }

  /**
   * Returns the end index of the records, beginning with {@code from}, that fill {@code bytes}. The
   * result is at most {@code to}.
   */
  int filling(int from, int to, int bytes) {
    long full = (long) begin(from) + bytes;
    int next = from;
    while (next < to && begin(next) < full) {
      next++;
    }
    return next;
  }

  /** Returns the run's memory to the pool. The records cannot be read after this. */
  void release() {
    if (!released) {
      released = true;
      compressors.giveBack(datums);
    }
  }
}
