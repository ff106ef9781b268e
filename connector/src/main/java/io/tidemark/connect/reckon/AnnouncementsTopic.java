package io.tidemark.connect.reckon;

import java.io.Closeable;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The topic on which producers announce batches. Used by one thread. */
public interface AnnouncementsTopic extends Closeable {

  /**
   * What lies behind a position, as far as it is committed: at most some hundred records, in
   * bounded time.
   *
   * @param topicId Kafka's topic id for which the position is true. Where the topic has another
   *     one, reading begins at its first records
   * @param position the next offset, by topic-partition; one that has none begins at its first
   *     record
   * @return empty where nothing lies behind the position
   * @throws IOException Kafka does not answer, or has no such topic: try again
   */
  Optional<Read> read(String topicId, List<Long> position) throws IOException;

  /** Where messages say that something stands. Example: {@code batches-0@12} */
  record Place(String topic, int topicPartition, long offset) {
    @Override
    public String toString() {
      return topic + "-" + topicPartition + "@" + offset;
    }
  }

  /**
   * A record of the topic.
   *
   * @param sentAt its timestamp
   */
  record Sent(Place place, Instant sentAt, Optional<byte[]> key, Optional<byte[]> value) {}

  /**
   * What was read.
   *
   * @param topicId the id of the topic that was read
   * @param position the next offset, by topic-partition of all that the topic has
   * @param records those of a topic-partition in the order of their offsets
   * @param warnings what was passed over, for logs
   */
  record Read(String topicId, List<Long> position, List<Sent> records, List<String> warnings) {

    public Read {
      position = List.copyOf(position);
      records = List.copyOf(records);
      warnings = List.copyOf(warnings);
    }
  }
}
