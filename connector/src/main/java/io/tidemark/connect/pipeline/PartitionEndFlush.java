package io.tidemark.connect.pipeline;

import io.tidemark.connect.pipeline.intake.PipelineServices;
import io.tidemark.connect.pipeline.session.OpenTail.Waiting;
import io.tidemark.connect.pipeline.session.TopicPartitionSession;
import io.tidemark.connect.pipeline.setting.PartitionEnds;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Says when to flush because a Hive partition has ended, so that all that Kafka held then is
 * committed soon, not only when the interval of batches is over.
 *
 * <p>Kafka is asked once for the end offsets of all topic-partitions. The task flushes when it has
 * taken in all records before them, or 30 s later, and again when the rest has come. Where nothing
 * comes, {@link TailWatch} finds out what lies before the end offset. Used by the task's thread
 * only, which never waits here.
 */
final class PartitionEndFlush {
  private static final long FIRST_FLUSH_MS = 30_000;
  private static final long LOOK_MS = 1_000;
  private static final long NOWHERE = -1;

  private final PartitionEnds partitionEnds;
  private final PipelineServices services;
  private final Map<TopicPartition, TopicPartitionSession> sessions;
  private final TailWatch tails;

  // By the wall clock.
  private OptionalLong dueMs;
  private long seenMs;

  // By the monotonic clock.
  private long flushAtMs;
  private long lookAtMs;

  private @Nullable CompletableFuture<Map<TopicPartition, Long>> asked;
  private final Map<TopicPartition, Rest> rest = new HashMap<>();
  private boolean due;
  private boolean flushed;
  private boolean wantsCommit;

  /** The topic-partition has records up to an end offset that are not committed yet. */
  private static final class Rest {
    final long end;
    long expected = NOWHERE;
    long looked = NOWHERE;

    Rest(long end) {
      this.end = end;
    }
  }

  /** {@code sessions} are those of the task, at any time. */
  PartitionEndFlush(
      PartitionEnds partitionEnds,
      PipelineServices services,
      Map<TopicPartition, TopicPartitionSession> sessions,
      TailWatch tails) {
    this.partitionEnds = partitionEnds;
    this.services = services;
    this.sessions = sessions;
    this.tails = tails;
    this.seenMs = services.wall().instant().toEpochMilli();
    this.dueMs = partitionEnds.dueAfter(seenMs);
  }

  /** To be called at the end of each put(), before the sessions' own look. */
  void endOfPut() {
    due |= becomesDue();
    if (due && asked == null) {
      due = false;
      ask();
    }
    long nowMs = services.monotonic().millis();
    CompletableFuture<Map<TopicPartition, Long>> done = asked;
    if (done != null && done.isDone()) {
      asked = null;
      rest.clear();
      done.join().forEach((topicPartition, end) -> rest.put(topicPartition, new Rest(end)));
      flushed = false;
      flushAtMs = nowMs + FIRST_FLUSH_MS;
      lookAtMs = nowMs + LOOK_MS;
    }
    forgetCommitted();
    if (!rest.isEmpty() && nowMs >= lookAtMs) {
      lookAtMs = nowMs + LOOK_MS;
      rest.forEach(this::look);
    }
  }

  /** A Hive partition has ended. A clock that was set back makes the same end due again. */
  private boolean becomesDue() {
    long nowMs = services.wall().instant().toEpochMilli();
    boolean now = dueMs.isPresent() && nowMs >= dueMs.getAsLong();
    if (now || nowMs < seenMs) {
      dueMs = partitionEnds.dueAfter(nowMs);
    }
    seenMs = nowMs;
    return now;
  }

  private void ask() {
    if (!sessions.isEmpty()) {
      Set<TopicPartition> all = Set.copyOf(sessions.keySet());
      asked =
          services
              .retries()
              .until(
                  "",
                  "ask for the end offsets at the end of a Hive partition",
                  () -> true,
                  () -> services.topics().ends(all))
              .exceptionally(failure -> TailWatch.unknown(failure, Map.of()));
    }
  }

  private void forgetCommitted() {
    rest.entrySet()
        .removeIf(
            each -> {
              TopicPartitionSession session = sessions.get(each.getKey());
              return session == null || session.position().committed() >= each.getValue().end;
            });
  }

  /** Where nothing has come for a while, it is found out what lies before the end. */
  private void look(TopicPartition topicPartition, Rest of) {
    TopicPartitionSession session = sessions.get(topicPartition);
    Waiting waiting = session == null ? null : session.waiting().orElse(null);
    if (waiting == null || waiting.expected() >= of.end || waiting.expected() == of.looked) {
      return;
    }
    if (waiting.expected() == of.expected) {
      of.looked = of.expected;
      tails.look(topicPartition, waiting, of.end);
    } else {
      of.expected = waiting.expected();
      // The framework is to say how far it has come, before somebody looks.
      wantsCommit = true;
    }
  }

  /** The framework should be asked to commit offsets, to tell its positions; said once. */
  boolean takeCommitWanted() {
    boolean wanted = wantsCommit;
    wantsCommit = false;
    return wanted;
  }

  /** The end offsets are on their way. */
  boolean busy() {
    return asked != null;
  }

  /** Whether to flush now; said once. To be asked while no batch is on its way. */
  boolean takeFlush() {
    forgetCommitted();
    if (rest.isEmpty()) {
      return false;
    }
    boolean allHere =
        rest.entrySet().stream()
            .allMatch(
                each -> {
                  TopicPartitionSession session = sessions.get(each.getKey());
                  return session != null && session.takenThrough() >= each.getValue().end;
                });
    boolean flush = allHere || (!flushed && services.monotonic().millis() >= flushAtMs);
    flushed |= flush;
    return flush;
  }
}
