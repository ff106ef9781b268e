package io.tidemark.connect.commit;

import io.tidemark.connect.batch.OffsetRange;
import io.tidemark.connect.batch.RecordCounts;
import io.tidemark.connect.commit.TopicDirectory.HeldOffsets;
import io.tidemark.connect.commit.entry.CommitEntry;
import io.tidemark.connect.commit.entry.CorruptLogException;
import io.tidemark.connect.commit.entry.LogState;
import io.tidemark.connect.commit.entry.NumberedEntry;
import java.io.IOException;
import java.time.Clock;
import java.util.Optional;
import java.util.UUID;
import org.apache.kafka.common.TopicPartition;

/**
 * An operator's wish that a topic-partition goes on at another offset, as an entry of its log.
 * Forward the offsets in between are skipped; backward is refused, because what has landed would
 * land again. Idempotent.
 */
public final class OperatorSkip {
  private static final int ATTEMPTS = 20;

  private final TopicDirectory topics;
  private final Clock clock;

  public OperatorSkip(TopicDirectory topics, Clock clock) {
    this.topics = topics;
    this.clock = clock;
  }

  /**
   * Makes {@code target} the next offset; a task that still runs is fenced.
   *
   * @param target the next offset to land; none asks for a reset
   * @throws IllegalArgumentException the wish cannot be granted: place, problem, cause, cure
   * @throws IOException Kafka or the store is away: try again
   */
  public void apply(TopicPartition topicPartition, Optional<Long> target, CommitLog log)
      throws IOException, CorruptLogException {
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      Optional<NumberedEntry> last = log.last();
      if (last.isEmpty()) {
        return; // an empty log starts where the consumer group stands, and that is what the
        // framework alters
      }
      LogState state = OwnedLog.takenOver(log, last.get(), topics.identity(topicPartition.topic()));
      HeldOffsets held = topics.heldOffsets(topicPartition);
      if (state.next() == LogState.UNKNOWN && state.generation().number() == 1) {
        return;
      }
      long next = state.next() == LogState.UNKNOWN ? held.earliest() : state.next();
      if (target.equals(Optional.of(next))) {
        return;
      }
      check(topicPartition, target, next, held, log);
      long offset = target.orElseThrow();
      OffsetRange range = new OffsetRange(next, offset);
      RecordCounts counts = new RecordCounts(0, 0, range.size(), 0, 0);
      CommitEntry.Skip skip =
          new CommitEntry.Skip(
              UUID.randomUUID(), state.after(range, counts), clock.instant(), range);
      if (append(log, last.get().number() + 1, skip) instanceof AppendOutcome.Appended appended
          && appended.fencedBy().isEmpty()) {
        return;
      }
      // Where others were faster it may stand behind a checkpoint, where it does not count.
    }
    throw new IOException(
        log.directory() + ": a task writes to the log at the same time. Stop the connector first.");
  }

  private static AppendOutcome append(CommitLog log, long number, CommitEntry.Skip skip)
      throws IOException, CorruptLogException {
    try {
      return log.append(number, skip);
    } catch (OutcomeUnknownException e) {
      return log.settle(number, skip);
    }
  }

  private static void check(
      TopicPartition topicPartition,
      Optional<Long> target,
      long next,
      HeldOffsets held,
      CommitLog log) {
    if (target.isEmpty()) {
      throw new IllegalArgumentException(
          topicPartition
              + ": the offset cannot be reset: "
              + log.directory()
              + " has landed offsets up to "
              + next
              + ", which would land again. To land them anew, use a connector with another log.id, topics.dir and "
              + "hive.table.name.");
    }
    if (target.get() < next) {
      throw new IllegalArgumentException(
          topicPartition
              + ": the offset cannot go back to "
              + target.get()
              + ": "
              + log.directory()
              + " has landed offsets up to "
              + next
              + ", and those from "
              + target.get()
              + " on would land again. To land them anew, use a connector with another log.id, topics.dir and "
              + "hive.table.name.");
    }
    if (target.get() > held.end()) {
      throw new IllegalArgumentException(
          topicPartition
              + ": the offset cannot be "
              + target.get()
              + ": Kafka's end offset is "
              + held.end()
              + ". Choose an offset from "
              + next
              + " to "
              + held.end()
              + ".");
    }
  }
}
