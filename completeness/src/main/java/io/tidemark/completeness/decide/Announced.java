package io.tidemark.completeness.decide;

import java.util.List;

/**
 * A read of the announcements' topic, with the announcements in the order in which they were read.
 *
 * @param topicId Kafka's id of the announcements' topic
 * @param position the next offset to read, by topic-partition
 */
public record Announced(String topicId, List<Long> position, List<Announcement> announcements) {

  public Announced {
    position = List.copyOf(position);
    announcements = List.copyOf(announcements);
  }
}
