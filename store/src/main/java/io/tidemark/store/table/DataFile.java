package io.tidemark.store.table;

import io.tidemark.store.StoragePath;
import io.tidemark.store.TopicPartition;
import io.tidemark.store.partition.HivePartition;
import java.util.List;
import java.util.Locale;

/** A data file of a batch, with its smallest and largest offset and event time in milliseconds. */
public record DataFile(
    TableName table,
    StoragePath staged,
    StoragePath path,
    HivePartition hivePartition,
    long records,
    long bytes,
    String codec,
    int schemaVersion,
    List<String> schemaIds,
    long firstOffset,
    long lastOffset,
    long minTimestamp,
    long maxTimestamp) {

  public DataFile {
    schemaIds = List.copyOf(schemaIds);
  }

  /**
   * Returns the name of a published file: at most 255 bytes, and never hidden from Hive. The name
   * describes the content for people. Programs use the commit log and never parse the name.
   *
   * <p>Example: {@code quotes+3+g1+0000250000+0000499999.avro}
   *
   * @param offsetWidth the digits to which offsets are padded, so that names sort; 0 to 19
   */
  public static String name(
      TopicPartition of,
      int generation,
      long firstOffset,
      long lastOffset,
      int offsetWidth,
      String extension) {
    if (of.topic().isEmpty() || of.partition() < 0 || generation < 0) {
      throw new IllegalArgumentException(
          "no file name can have the topic-partition %s and the generation %d"
              .formatted(of, generation));
    }
    if (firstOffset < 0 || lastOffset < firstOffset || offsetWidth < 0 || offsetWidth > 19) {
      throw new IllegalArgumentException(
          "no file can have the offsets %d to %d, padded to %d digits"
              .formatted(firstOffset, lastOffset, offsetWidth));
    }
    String offset = offsetWidth == 0 ? "%d" : "%0" + offsetWidth + "d";
    String offsets = String.format(Locale.ROOT, offset + "+" + offset, firstOffset, lastOffset);
    return TableLayout.visibleName(
        of.topic(), "+%d+g%d+%s.%s".formatted(of.partition(), generation, offsets, extension));
  }
}
