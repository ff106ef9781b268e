package io.tidemark.cli.adopt;

import io.tidemark.store.StoragePath;
import io.tidemark.store.batch.OffsetRange;
import io.tidemark.store.batch.OffsetRanges;
import io.tidemark.store.partition.HivePartition;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The offsets in the names of one topic-partition's files.
 *
 * @param next the offset after the greatest one; 0 if there is no file
 * @param gaps the offsets between the first and the last one that are in no file's range
 * @param overlaps the number of files whose range begins within that of another file. This is
 *     normal if a commit has files in several directories
 * @param withoutRecord the offsets in ranges, less the records that were read; -1 if a file was not
 *     read
 * @param twice why some offset is in two files; empty if nothing shows that
 */
public record NamedOffsets(
    long first,
    long next,
    OffsetRanges gaps,
    long overlaps,
    long withoutRecord,
    List<String> twice) {

  public NamedOffsets {
    twice = List.copyOf(twice);
  }

  static NamedOffsets of(List<OldFile> files) {
    return new Sweep().over(files);
  }

  /** One pass over the files by their first offsets. */
  private static final class Sweep {
    private final List<OffsetRange> gaps = new ArrayList<>();
    private final List<String> twice = new ArrayList<>();
    private final Map<StoragePath, OldFile> lastIn = new HashMap<>();
    private long overlaps;
    private long covered;
    private long records;
    private boolean unread;

    // The present group of ranges that touch one another.
    private long groupFirst;
    private long groupNext = -1;
    private long groupRecords;

    NamedOffsets over(List<OldFile> files) {
      List<OldFile> sorted = new ArrayList<>(files);
      sorted.sort(Comparator.comparingLong(OldFile::first).thenComparingLong(OldFile::last));
      for (OldFile file : sorted) {
        add(file);
      }
      endGroup();
      return new NamedOffsets(
          sorted.isEmpty() ? 0 : sorted.get(0).first(),
          Math.max(0, groupNext),
          new OffsetRanges(gaps),
          overlaps,
          unread ? -1 : covered - records,
          twice);
    }

    private void add(OldFile file) {
      if (file.first() >= groupNext) {
        if (groupNext >= 0 && file.first() > groupNext) {
          gaps.add(new OffsetRange(groupNext, file.first()));
        }
        endGroup();
        groupFirst = file.first();
        groupNext = file.last() + 1;
        groupRecords = 0;
      } else {
        overlaps++;
        groupNext = Math.max(groupNext, file.last() + 1);
      }
      groupRecords += file.records();
      unread |= !(file.content() instanceof OldFile.Records);
      // The sink has one open file for a directory, and commits it before it opens the next. But
      // files of empty values may have been moved to the directory of another value.
      OldFile before = lastIn.put(file.path().parent(), file);
      if (before != null
          && before.last() >= file.first()
          && !file.path().value().contains("=" + HivePartition.DEFAULT_VALUE + "/")) {
        twice.add("%s and %s have offsets in common".formatted(before.path(), file.path().name()));
      }
    }

    private void endGroup() {
      if (groupNext < 0) {
        return;
      }
      covered += groupNext - groupFirst;
      records += groupRecords;
      if (groupRecords > groupNext - groupFirst) {
        twice.add(
            "the files of the offsets %d to %d have %d records"
                .formatted(groupFirst, groupNext - 1, groupRecords));
      }
    }
  }
}
