package io.tidemark.store.table;

import java.util.Locale;

/**
 * The name of a published file. The name describes the content for people. Programs use the commit
 * log and never parse the name.
 *
 * <p>Example: {@code quotes+3+g1+0000250000+0000499999.avro}
 *
 * @param generation the generation of the log, from 1
 * @param offsetWidth the digits to which offsets are padded with zeros, so that names sort; 0 to 19
 * @param extension the extension of the file format, without the dot
 */
public record DataFileName(
    String topic,
    int topicPartition,
    long generation,
    long firstOffset,
    long lastOffset,
    int offsetWidth,
    String extension) {

  public DataFileName {
    if (topic.isEmpty() || topicPartition < 0 || generation < 0) {
      throw new IllegalArgumentException(
          "no file name can have the topic-partition %s-%d and the generation %d"
              .formatted(topic, topicPartition, generation));
    }
    if (firstOffset < 0 || lastOffset < firstOffset) {
      throw new IllegalArgumentException(
          "no file can have the offsets %d to %d".formatted(firstOffset, lastOffset));
    }
    if (offsetWidth < 0 || offsetWidth > 19) {
      throw new IllegalArgumentException(
          "offsets can be padded to 0 to 19 digits, not to " + offsetWidth);
    }
  }

  /** Returns the name: at most 255 bytes, and never hidden from Hive. */
  public String value() {
    return TableLayout.visibleName(
        topic,
        "+%d+g%d+%s+%s.%s"
            .formatted(
                topicPartition, generation, padded(firstOffset), padded(lastOffset), extension));
  }

  private String padded(long offset) {
    return offsetWidth == 0
        ? Long.toString(offset)
        : String.format(Locale.ROOT, "%0" + offsetWidth + "d", offset);
  }
}
