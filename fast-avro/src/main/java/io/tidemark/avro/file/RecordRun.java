package io.tidemark.avro.file;

import io.tidemark.avro.binary.MalformedDatumException;
import io.tidemark.avro.plan.BatchRunner;
import io.tidemark.avro.plan.SourceDatums;
import io.tidemark.avro.plan.TableDatums;
import java.util.Arrays;
import java.util.Objects;

/**
 * The records of one chunk, uncompressed, for when it is not known yet at which of them a file ends
 * and the next one begins. Each {@link BlockSequence} takes those of its file; together they take
 * all of them, in order.
 *
 * <p>Filled by one thread, then taken from by one.
 */
public final class RecordRun {
  private static final int FIRST_RECORDS = 64;

  private final CompressorPool compressors;
  private final TableDatums datums;
  private int[] ends = new int[FIRST_RECORDS];
  private int records;

  /** Makes an empty run. */
  public RecordRun(CompressorPool compressors) {
    this.compressors = compressors;
    datums = compressors.borrowBuffer();
  }

  /**
   * Appends records that a plan has been run over.
   *
   * @param from the first of the last run's datums to append
   * @param to the one behind the last
   */
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

  /**
   * Runs a plan over datums and appends what they become.
   *
   * @param from the first of them to append
   * @param to the one behind the last
   * @throws MalformedDatumException if one of them is not a datum of the plan's writer schema;
   *     those before it are appended, as {@link #records()} tells
   */
  public void append(BatchRunner runner, SourceDatums source, int from, int to)
      throws MalformedDatumException {
    datums.beginRun(0);
    try {
      runner.run(source, from, to, datums);
    } finally {
      takeIn();
    }
  }

  /** How many records have been appended. */
  public int records() {
    return records;
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

  /** The array that holds the records. */
  byte[] bytes() {
    return datums.bytes();
  }

  /** The index of a record's first byte, or of the first behind the last record. */
  int begin(int record) {
    return Objects.checkIndex(record, records + 1) == 0 ? 0 : ends[record - 1];
  }

  /** The record behind those from one on that fill a number of bytes, or {@code to}. */
  int filling(int from, int to, int bytes) {
    int full = begin(from) + bytes;
    int next = from;
    while (next < to && begin(next) < full) {
      next++;
    }
    return next;
  }

  /** Lets the next runs be made in this one's memory: nothing can be taken any more. */
  void release() {
    compressors.giveBack(datums);
  }
}
