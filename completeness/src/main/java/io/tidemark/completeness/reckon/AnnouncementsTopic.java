package io.tidemark.completeness.reckon;

import java.io.Closeable;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The topic on which producers announce batches. Not thread-safe. */
public interface AnnouncementsTopic extends Closeable {

  /**
   * Reads committed records, beginning at a position: at most 1,000 records, in bounded time.
   *
   * @param topicId Kafka's topic id to which the position belongs. If the topic has another id,
   *     reading begins at its first records
   * @param position the next offset by topic-partition; a missing one is read from its first record
   * @return empty if there are no records at or after the position
   */
  Optional<Read> read(String topicId, List<Long> position) throws IOException;

  /** A record, with its place for messages, such as {@code batches-0@12}, and its timestamp. */
  record Sent(String place, Instant sentAt, Optional<byte[]> key, Optional<byte[]> value) {}

  /**
   * The topic that was read; the next offset of each topic-partition; the records, for each in the
   * order of their offsets; and warnings of what was skipped, for logs.
   */
  record Read(String topicId, List<Long> position, List<Sent> records, List<String> warnings) {

    public Read {
      position = List.copyOf(position);
      records = List.copyOf(records);
      warnings = List.copyOf(warnings);
    }
  }
}
