package io.tidemark.store.commit;

import io.tidemark.store.TopicPartition;
import io.tidemark.store.batch.OffsetRange;
import io.tidemark.store.batch.RecordCounts;
import io.tidemark.store.commit.TopicMetadata.RetainedOffsets;
import io.tidemark.store.log.AppendOutcome;
import io.tidemark.store.log.CorruptLogException;
import io.tidemark.store.log.LogEnd;
import io.tidemark.store.log.LogRefusedException;
import io.tidemark.store.log.NumberedEntry;
import io.tidemark.store.log.OperatorConsent;
import io.tidemark.store.log.OutcomeUnknownException;
import java.io.IOException;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * Writes an operator's requests to continue at other offsets as entries of logs. A request for a
 * later offset skips the offsets in between. A request for an earlier offset is rejected, because
 * records would land twice; but if nothing has landed, the log begins there. Idempotent.
 */
public record OperatorSkip(TopicMetadata topics, OperatorConsent consent, Clock clock) {
  private static final int ATTEMPTS = 20;

  /** {@code target} is the next offset to land; empty for a reset. */
  public record OffsetRequest(
      TopicPartition topicPartition, Optional<Long> target, CommitLog log) {}

  /** Applies all requests, or none with an {@link IllegalArgumentException}. Fences tasks. */
  public void apply(List<OffsetRequest> requests) throws IOException, CorruptLogException {
    requireExisting(requests);
    for (OffsetRequest request : requests) {
      plan(request); // Check all requests before the first one is applied.
    }
    for (OffsetRequest request : requests) {
      apply(request);
    }
  }

  /** Rejects a topic-partition that Kafka does not have: it would not answer for 30 s. */
  private void requireExisting(List<OffsetRequest> requests) throws IOException {
    Map<String, TopicPartition> last =
        requests.stream()
            .map(OffsetRequest::topicPartition)
            .collect(
                Collectors.toMap(
                    TopicPartition::topic,
                    each -> each,
                    // A negative number is the largest unsigned one.
                    (a, b) -> Integer.compareUnsigned(a.partition(), b.partition()) < 0 ? b : a));
    for (TopicPartition each : last.values()) {
      if (each.partition() < 0 || topics.gone(each)) {
        throw new IllegalArgumentException(
            "%s: Kafka has no such topic-partition, so its offset cannot be altered. Correct kafka_topic and kafka_partition in the request; the first topic-partition of a topic is 0."
                .formatted(each));
      }
    }
  }

  private void apply(OffsetRequest request) throws IOException, CorruptLogException {
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      Optional<NumberedEntry<CommitEntry>> planned = plan(request);
      if (planned.isEmpty()
          || (append(request.log(), planned.get())
                  instanceof AppendOutcome.Appended<CommitEntry> appended
              && appended.fencedBy().isEmpty())) {
        return;
      }
      // Another owner may have written a checkpoint at this number. If so, the entry is invalid.
    }
    throw new IOException(
        request.log().directory()
            + ": a task writes to the log at the same time. Stop the connector first.");
  }

  /** Returns the entry that applies a request; empty if the log is at the offset already. */
  private Optional<NumberedEntry<CommitEntry>> plan(OffsetRequest request)
      throws IOException, CorruptLogException {
    TopicPartition topicPartition = request.topicPartition();
    Optional<LogEnd<CommitEntry>> end = request.log().end();
    if (end.isEmpty()) {
      return leaveToGroup(request, topics.retainedOffsets(topicPartition));
    }
    LogState state = takenOver(request, end.get());
    RetainedOffsets retained = topics.retainedOffsets(topicPartition);
    if (state.next() == LogState.UNKNOWN && state.generation().number() == 1) {
      return leaveToGroup(request, retained);
    }
    long next = state.next() == LogState.UNKNOWN ? retained.earliest() : state.next();
    if (state.empty()) {
      // Nothing has landed. So a reset requests all records that Kafka has.
      long target = request.target().orElse(Math.min(next, retained.earliest()));
      if (target < next) {
        requireFrom(0, target, topicPartition, retained);
        OffsetRange beginning = new OffsetRange(target, target);
        return skip(end.get(), state.beginningAt(target), beginning, retained);
      }
      if (request.target().isEmpty()) {
        return Optional.empty();
      }
    }
    if (request.target().equals(Optional.of(next))) {
      return Optional.empty();
    }
    requireNotTruncated(request, state, retained);
    check(request, next, retained);
    OffsetRange range = new OffsetRange(next, request.target().orElseThrow());
    RecordCounts counts = new RecordCounts(0, 0, range.size(), 0, 0);
    return skip(end.get(), state.after(range, counts), range, retained);
  }

  private Optional<NumberedEntry<CommitEntry>> skip(
      LogEnd<CommitEntry> end, LogState after, OffsetRange range, RetainedOffsets retained) {
    return Optional.of(
        new NumberedEntry<>(
            end.last().number() + 1,
            new CommitEntry.Skip(
                UUID.randomUUID(),
                Optional.of(end.last().entry().identity()),
                after.withLeaderEpoch(retained.leaderEpoch()),
                clock.instant(),
                range)));
  }

  /** Writes no entry: Connect sets the group's offset, and a log without batches begins there. */
  private static Optional<NumberedEntry<CommitEntry>> leaveToGroup(
      OffsetRequest request, RetainedOffsets retained) {
    request
        .target()
        .ifPresent(target -> requireFrom(0, target, request.topicPartition(), retained));
    return Optional.empty();
  }

  /**
   * Rejects a truncated topic-partition. The skip entry would have Kafka's present leader epoch. A
   * later claim would then no longer find the truncation.
   */
  private void requireNotTruncated(OffsetRequest request, LogState state, RetainedOffsets offsets)
      throws IOException {
    long next = state.next();
    if (next == LogState.UNKNOWN || state.leaderEpoch() == LogState.UNKNOWN) {
      return;
    }
    OptionalLong at =
        topics.truncatedAt(
            request.topicPartition(), next, state.leaderEpoch(), offsets.leaderEpoch());
    if (at.isPresent()
        && !consent.agreesTo(Truncation.step(request.log().directory(), next, at.getAsLong()))) {
      throw new IllegalArgumentException(
          Truncation.message(
              request.topicPartition(), request.log().directory(), state, offsets, at.getAsLong()));
    }
  }

  private LogState takenOver(OffsetRequest request, LogEnd<CommitEntry> end)
      throws IOException, CorruptLogException {
    try {
      String topic = request.topicPartition().topic();
      TopicIdentity identity = topics.identity(topic);
      LogState state =
          OwnedLog.takenOver(
              request.log(),
              end,
              identity,
              consent,
              () -> topics.retainedOffsets(request.topicPartition()).earliest());
      if (!end.last().entry().state().generation().isOf(identity)) {
        OwnedLog.requireAgreed(request.log(), identity, topics.agreedIdentity(topic));
      }
      return state;
    } catch (LogRefusedException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }

  private static AppendOutcome<CommitEntry> append(CommitLog log, NumberedEntry<CommitEntry> skip)
      throws IOException, CorruptLogException {
    try {
      return log.append(skip.number(), skip.entry());
    } catch (OutcomeUnknownException e) {
      return log.resolve(skip.number(), skip.entry());
    }
  }

  private static void check(OffsetRequest request, long next, RetainedOffsets retained) {
    TopicPartition topicPartition = request.topicPartition();
    Optional<Long> target = request.target();
    CommitLog log = request.log();
    if (target.isEmpty()) {
      throw new IllegalArgumentException(
          "%s: the offset cannot be reset: %s has landed offsets up to %d, which would land again. To land them anew, use a connector with another log.id, topics.dir and hive.table.name."
              .formatted(topicPartition, log.directory(), next));
    }
    if (target.get() < next) {
      throw new IllegalArgumentException(
          "%s: the offset cannot go back to %d: %s has landed offsets up to %d, and those from %d on would land again. To land them anew, use a connector with another log.id, topics.dir and hive.table.name."
              .formatted(topicPartition, target.get(), log.directory(), next, target.get()));
    }
    requireFrom(next, target.get(), topicPartition, retained);
  }

  private static void requireFrom(
      long least, long target, TopicPartition topicPartition, RetainedOffsets retained) {
    if (target < least || target > retained.end()) {
      throw new IllegalArgumentException(
          "%s: the offset cannot be %d: Kafka's end offset is %d. Choose an offset from %d to %d."
              .formatted(topicPartition, target, retained.end(), least, retained.end()));
    }
  }
}
