package io.tidemark.connect.pipeline;

import io.tidemark.connect.intake.PartitionEnds;
import io.tidemark.connect.intake.PipelineServices;
import io.tidemark.connect.pipeline.TopicPartitionSession.Waiting;
import io.tidemark.store.TopicPartition;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Decides when to flush after the time of a Hive partition has ended. So all records that Kafka had
 * at that time are committed soon, without waiting for {@code batch.interval.ms}.
 *
 * <p>The end offsets of all topic-partitions are requested once. The task flushes when it has
 * accepted all records below the end offsets, or after 30 s. In the second case it flushes again
 * when it has accepted the remaining records. If no more records are delivered, {@link
 * EndOffsetWatch} checks whether there are records below the end offset. Called by the task's
 * thread only; no method waits.
 */
final class PartitionEndFlush {
  private static final long FIRST_FLUSH_MS = 30_000;
  private static final long CHECK_MS = 1_000;
  private static final long NOWHERE = -1;

  private final PartitionEnds partitionEnds;
  private final PipelineServices services;
  private final Map<TopicPartition, TopicPartitionSession> sessions;
  private final EndOffsetWatch endOffsets;

  // Times of the wall clock.
  private OptionalLong dueMs;
  private long seenMs;

  // Times of the monotonic clock.
  private long flushAtMs;
  private long checkAtMs;

  private @Nullable CompletableFuture<Map<TopicPartition, Long>> asked;
  private final Map<TopicPartition, Rest> rest = new HashMap<>();
  private boolean due;
  private boolean flushed;
  private boolean wantsCommit;

  /** The uncommitted records of a topic-partition up to an end offset. */
  private static final class Rest {
    final long end;
    long next = NOWHERE;
    long checked = NOWHERE;

    Rest(long end) {
      this.end = end;
    }
  }

  PartitionEndFlush(
      PartitionEnds partitionEnds,
      PipelineServices services,
      Map<TopicPartition, TopicPartitionSession> sessions,
      EndOffsetWatch endOffsets) {
    this.partitionEnds = partitionEnds;
    this.services = services;
    this.sessions = sessions;
    this.endOffsets = endOffsets;
    this.seenMs = services.wall().instant().toEpochMilli();
    this.dueMs = partitionEnds.dueAfter(seenMs);
  }

  /** Call this method at the end of each put(), before the sessions' {@code tick}. */
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
      checkAtMs = nowMs + CHECK_MS;
    }
    forgetCommitted();
    if (!rest.isEmpty() && nowMs >= checkAtMs) {
      checkAtMs = nowMs + CHECK_MS;
      rest.forEach(this::check);
    }
  }

  /** Returns whether the time of a Hive partition has ended; again, if the clock was set back. */
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
                  "ask for the end offsets at the end of a Hive partition",
                  () -> services.topics().ends(all))
              .exceptionally(failure -> EndOffsetWatch.unknown(failure, Map.of()));
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

  /** Checks for records below the end offset if no record was delivered for a while. */
  private void check(TopicPartition topicPartition, Rest of) {
    TopicPartitionSession session = sessions.get(topicPartition);
    Waiting waiting = session == null ? null : session.waiting().orElse(null);
    if (waiting == null || waiting.next() >= of.end || waiting.next() == of.checked) {
      return;
    }
    if (waiting.next() == of.next) {
      of.checked = of.next;
      endOffsets.check(topicPartition, waiting, of.end);
    } else {
      of.next = waiting.next();
      // Let Connect report its position before the topic is checked for records.
      wantsCommit = true;
    }
  }

  /** Returns, once, whether Connect should commit offsets, and so report its positions. */
  boolean takeCommitWanted() {
    boolean wanted = wantsCommit;
    wantsCommit = false;
    return wanted;
  }

  boolean busy() {
    return asked != null;
  }

  /**
   * Returns whether to flush now: the task has accepted all records below the end offsets, or 30 s
   * have passed for the first time. Call this method while no batch is being committed.
   */
  boolean due() {
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
    return allHere || (!flushed && services.monotonic().millis() >= flushAtMs);
  }

  void flushing() {
    flushed |= due();
  }
}
