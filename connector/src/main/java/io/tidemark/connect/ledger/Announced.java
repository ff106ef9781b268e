package io.tidemark.connect.ledger;

import java.util.List;

/**
 * What was read of the announcements' topic, in the order in which it was read.
 *
 * @param topicId Kafka's topic id of it
 * @param position the next offset to read, by topic-partition
 */
public record Announced(String topicId, List<Long> position, List<Announcement> announcements) {

  public Announced {
    position = List.copyOf(position);
    announcements = List.copyOf(announcements);
  }
}
