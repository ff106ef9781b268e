package io.tidemark.store.publish;

import io.tidemark.store.PrintableText;
import io.tidemark.store.TopicPartition;
import io.tidemark.store.commit.LogState;
import io.tidemark.store.commit.OwnedLog;
import io.tidemark.store.commit.TopicMetadata;
import io.tidemark.store.commit.TopicMetadata.GroupOffset;
import io.tidemark.store.log.CorruptLogException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs a warning at a claim if another tool has changed the consumer group's offset. The change is
 * ignored, because the log decides where reading continues. Thread-safe.
 */
public record GroupWatch(TopicMetadata topics) {
  private static final Logger LOG = LoggerFactory.getLogger(GroupWatch.class);

  /** Number of entries before the claim that are compared with the group's offset. */
  private static final int EARLIER_ENTRIES = 32;

  /**
   * Returns how another tool has moved the group's offset; empty if none has. It may be that of an
   * earlier entry of the generation: Connect commits from time to time, and not when a worker dies.
   */
  static Optional<String> change(long group, long next, List<LogState> earlier) {
    if (group > next) {
      return Optional.of("Another tool has moved the group forward.");
    }
    return group == next || earlier.stream().anyMatch(state -> state.next() == group)
        ? Optional.empty()
        : Optional.of(
            "Another tool has moved the group back, or the last worker died before it could commit the group's offset.");
  }

  /** Logs a difference. If the group's offset cannot be read, landing continues nevertheless. */
  public void compare(TopicPartition topicPartition, OwnedLog owned)
      throws IOException, CorruptLogException {
    long next = owned.state().next();
    if (owned.state().empty()) {
      return; // The log begins at the group's offset, or at the first offset of a new topic.
    }
    Optional<Long> group = committed(topicPartition).filter(offset -> offset != next);
    if (group.isEmpty()) {
      return;
    }
    change(group.get(), next, earlier(owned))
        .ifPresent(
            change ->
                LOG.warn(
                    "{}: the connector's consumer group is at offset {}, but {} has committed offsets up to {}. {} The log decides: landing continues at {}, and the group follows it. To skip records, stop the connector and alter its offsets by the REST API. To land records anew, use a connector with another log.id, topics.dir and hive.table.name.",
                    topicPartition,
                    group.get(),
                    owned.log().directory(),
                    next,
                    change,
                    next));
  }

  private Optional<Long> committed(TopicPartition topicPartition) {
    try {
      return topics.groupOffset(topicPartition).map(GroupOffset::offset);
    } catch (IOException e) {
      LOG.info(
          "{}: cannot check whether another tool has moved the consumer group: {}",
          topicPartition,
          PrintableText.messageOf(e));
      return Optional.empty();
    }
  }

  private static List<LogState> earlier(OwnedLog owned) throws IOException, CorruptLogException {
    List<LogState> states = new ArrayList<>();
    long oldest = Math.max(1, owned.number() - EARLIER_ENTRIES);
    for (long number = owned.number() - 1; number >= oldest; number--) {
      Optional<LogState> state = owned.log().find(number).map(each -> each.entry().state());
      if (state.isEmpty() || !state.get().generation().equals(owned.state().generation())) {
        return states; // Older entries are folded, or of an earlier generation.
      }
      states.add(state.get());
    }
    return states;
  }
}
