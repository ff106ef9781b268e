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
   * @param position the next offset by topic-partition; a topic-partition that is missing is read
   *     from its first record
   * @return empty if there are no records at or after the position
   * @throws IOException Kafka does not respond, or does not have the topic: retry
   */
  Optional<Read> read(String topicId, List<Long> position) throws IOException;

  /**
   * A record of the topic.
   *
   * @param place for messages. Example: {@code batches-0@12}
   * @param sentAt the timestamp of the record
   */
  record Sent(String place, Instant sentAt, Optional<byte[]> key, Optional<byte[]> value) {}

  /**
   * The result of a read.
   *
   * @param topicId the id of the topic that was read
   * @param position the next offset of all topic-partitions of the topic
   * @param records records, for each topic-partition in the order of their offsets
   * @param warnings the skipped records and offsets, for logs
   */
  record Read(String topicId, List<Long> position, List<Sent> records, List<String> warnings) {

    public Read {
      position = List.copyOf(position);
      records = List.copyOf(records);
      warnings = List.copyOf(warnings);
    }
  }
}
