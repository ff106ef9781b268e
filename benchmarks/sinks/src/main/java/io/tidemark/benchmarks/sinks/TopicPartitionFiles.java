package io.tidemark.benchmarks.sinks;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The files of a topic-partition since the last flush. The file of a record follows from its offset
 * alone. Used by one thread.
 */
final class TopicPartitionFiles {

  /**
   * How the records of a topic-partition are spread over files.
   *
   * @param inTurn the number of files for consecutive records, as for Hive partitions in turn
   * @param offsets the number of consecutive offsets in a file, as for the records of an hour; 0
   *     for no limit. The first file has half of it: the benchmark's records begin at half past an
   *     hour
   */
  record Spread(int inTurn, long offsets) {
    Spread {
      if (inTurn < 1 || offsets < 0) {
        throw new IllegalArgumentException(
            "%d files in turn, %d offsets a file: at least 1 and 0 are needed"
                .formatted(inTurn, offsets));
      }
    }

    /** Returns the offset that follows a file of consecutive offsets. */
    long endOf(long offset) {
      return offsets == 0
          ? Long.MAX_VALUE
          : ((offset + offsets / 2) / offsets + 1) * offsets - offsets / 2;
    }
  }

  private final Spread spread;
  private final LongFunction<RawCopyFile> creation;
  private final @Nullable RawCopyFile[] open;
  private final List<CompletableFuture<Void>> closing = new ArrayList<>();
  private long endOfFiles;
  private long nextOffset;
  private long records;

  /**
   * Creates no file yet.
   *
   * @param creation returns a new file, by the first offset
   */
  TopicPartitionFiles(Spread spread, LongFunction<RawCopyFile> creation) {
    this.spread = spread;
    this.creation = creation;
    open = new RawCopyFile[spread.inTurn()];
  }

  /** Returns the offset after the last datum. */
  long nextOffset() {
    return nextOffset;
  }

  /** Appends a datum, and returns the number of datums since the last flush. */
  long append(byte[] source, int from, long offset) {
    if (offset >= endOfFiles) {
      closeAll();
      endOfFiles = spread.endOf(offset);
    }
    int at = open.length == 1 ? 0 : (int) (offset % open.length);
    RawCopyFile file = open[at];
    if (file == null) {
      file = creation.apply(offset);
      open[at] = file;
    }
    file.append(source, from, source.length - from);
    nextOffset = offset + 1;
    return ++records;
  }

  boolean isEmpty() {
    return records == 0;
  }

  /** Ends all files; completes when those since the last flush are closed. */
  CompletableFuture<Void> flush() {
    closeAll();
    records = 0;
    CompletableFuture<Void> all =
        CompletableFuture.allOf(closing.toArray(CompletableFuture<?>[]::new));
    closing.clear();
    return all;
  }

  private void closeAll() {
    for (int i = 0; i < open.length; i++) {
      RawCopyFile file = open[i];
      if (file != null) {
        closing.add(file.close());
        open[i] = null;
      }
    }
  }
}
