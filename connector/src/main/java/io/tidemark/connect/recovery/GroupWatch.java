package io.tidemark.connect.recovery;

import io.tidemark.connect.commit.OwnedLog;
import io.tidemark.connect.commit.TopicMetadata;
import io.tidemark.connect.commit.entry.CommitEntry;
import io.tidemark.connect.commit.entry.LogState;
import io.tidemark.connect.storage.log.CorruptLogException;
import io.tidemark.connect.storage.log.NumberedEntry;
import io.tidemark.connect.text.PrintableText;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Warns, when a topic-partition has been claimed, of a consumer group that another tool has moved:
 * the log decides where reading goes on, so the move is ignored. Safe for use by many threads.
 */
public final class GroupWatch {
  private static final Logger LOG = LoggerFactory.getLogger(GroupWatch.class);

  /** How many entries before the claim are looked at for the offset where the group stands. */
  private static final int EARLIER_ENTRIES = 32;

  private final TopicMetadata topics;

  public GroupWatch(TopicMetadata topics) {
    this.topics = topics;
  }

  /**
   * Looks at the group, and says in the worker's log what is found. A group that cannot be seen is
   * no reason not to land.
   */
  public void look(TopicPartition topicPartition, OwnedLog owned)
      throws IOException, CorruptLogException {
    long next = owned.state().next();
    if (owned.state().empty()) {
      return; // The log begins where the group stands, or at the first offset of a new topic.
    }
    OptionalLong group = committed(topicPartition);
    if (group.isEmpty() || group.getAsLong() == next) {
      return;
    }
    GroupPosition position = GroupPosition.of(group.getAsLong(), next, earlier(owned));
    if (position != GroupPosition.EXPLAINED) {
      LOG.warn(
          "{}: the connector's consumer group stands at {}, but {} has committed offsets up to {}. {} "
              + "The log decides: landing goes on at {}, and the group follows it. To pass records over, stop the "
              + "connector and alter its offsets by the REST API; to land records anew, use a connector with "
              + "another log.id, topics.dir and hive.table.name.",
          topicPartition,
          group.getAsLong(),
          owned.log().directory(),
          next,
          position == GroupPosition.AHEAD
              ? "Another tool has moved the group forward."
              : "Another tool has moved the group back, or the last worker died before it could move the group on.",
          next);
    }
  }

  private OptionalLong committed(TopicPartition topicPartition) {
    try {
      return topics
          .groupOffset(topicPartition)
          .map(group -> OptionalLong.of(group.offset()))
          .orElse(OptionalLong.empty());
    } catch (IOException e) {
      LOG.info(
          "{}: it is not known whether another tool has moved the consumer group: {}",
          topicPartition,
          PrintableText.messageOf(e));
      return OptionalLong.empty();
    }
  }

  private static List<LogState> earlier(OwnedLog owned) throws IOException, CorruptLogException {
    List<LogState> states = new ArrayList<>();
    long oldest = Math.max(1, owned.number() - EARLIER_ENTRIES);
    for (long number = owned.number() - 1; number >= oldest; number--) {
      NumberedEntry<CommitEntry> entry;
      try {
        entry = owned.log().read(number);
      } catch (NoSuchFileException e) {
        return states; // Older entries are gone.
      }
      if (!entry.entry().state().generation().equals(owned.state().generation())) {
        return states;
      }
      states.add(entry.entry().state());
    }
    return states;
  }
}
