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
 * Decides when to flush because a Hive partition has ended. All records that Kafka had at that time
 * are then committed soon, without waiting for the interval of batches.
 *
 * <p>Kafka is asked once for the end offsets of all topic-partitions. The task flushes when it has
 * taken all records below them, or after 30 s, and again when it has taken the remaining ones. If
 * no more records are delivered, {@link TailWatch} finds out what is below the end offset. Called
 * by the task's thread only; no method waits.
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

  /** Records up to an end offset that are not committed yet. */
  private static final class Rest {
    final long end;
    long expected = NOWHERE;
    long looked = NOWHERE;

    Rest(long end) {
      this.end = end;
    }
  }

  /** {@code sessions} are the present sessions of the task. */
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

  /** Must be called at the end of each put(), before the sessions' {@code tick}. */
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

  /**
   * Returns whether a Hive partition has ended. A clock that was set back makes the same end due
   * again.
   */
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

  /** If no record was delivered for a while, finds out what is below the end offset. */
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
      // Let Connect report its position before a look at the topic.
      wantsCommit = true;
    }
  }

  /** Returns, once, whether Connect should commit offsets, which reports its positions. */
  boolean takeCommitWanted() {
    boolean wanted = wantsCommit;
    wantsCommit = false;
    return wanted;
  }

  /** Returns whether a request for the end offsets is running. */
  boolean busy() {
    return asked != null;
  }

  /** Returns, once, whether to flush now. Must be called while no batch is being committed. */
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
