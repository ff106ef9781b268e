package io.tidemark.connect.pipeline;

import io.tidemark.connect.intake.OffsetGap;
import io.tidemark.connect.intake.OffsetGap.Evidence;
import io.tidemark.connect.intake.PipelineServices;
import io.tidemark.connect.intake.RecordIntake;
import io.tidemark.connect.pipeline.TopicPartitionSession.Waiting;
import io.tidemark.store.PrintableText;
import io.tidemark.store.TopicPartition;
import io.tidemark.store.batch.OffsetRange;
import io.tidemark.store.commit.TopicMetadata.Undelivered;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds offsets after the last record of an idle topic-partition that contain no record: markers of
 * transactions, compacted records, or records that a transform has dropped. No later record shows
 * that the consumer has passed them. At intervals, one call requests the end offsets of all
 * topic-partitions, from which the lag is also computed. Then one topic-partition after another is
 * checked for a record below the end offset. Called by the task's thread only; no method waits.
 */
final class EndOffsetWatch {
  private static final Logger LOG = LoggerFactory.getLogger(EndOffsetWatch.class);

  private final PipelineServices services;
  private final Map<TopicPartition, TopicPartitionSession> sessions;
  private final Queue<Question> questions = new ArrayDeque<>();
  private final Set<TopicPartition> unanswered = ConcurrentHashMap.newKeySet();

  private long nextMs;
  private @Nullable Asked asked;
  private @Nullable Probe probe;

  private record Asked(
      Map<TopicPartition, Waiting> waiting, CompletableFuture<Map<TopicPartition, Long>> ends) {}

  /** A check for records from the next offset up to {@code end}. */
  private record Question(TopicPartition topicPartition, Waiting waiting, long end) {}

  /** The key in {@code Waits} under which a failed call of {@link #probe} is reported. */
  private record ProbeOf(TopicPartition topicPartition) {}

  private record Probe(Question question, CompletableFuture<Undelivered> seen) {}

  EndOffsetWatch(PipelineServices services, Map<TopicPartition, TopicPartitionSession> sessions) {
    this.services = services;
    this.sessions = sessions;
    this.nextMs = services.monotonic().millis() + services.settings().endCheckIntervalMs();
  }

  /** Starts due requests. Call it at the end of each put(), before the sessions' {@code tick}. */
  void endOfPut() {
    if (probe != null && probe.seen().isDone()) {
      Probe done = probe;
      probe = null;
      seen(done.question(), done.seen().join());
    }
    if (asked != null && asked.ends().isDone()) {
      Asked done = asked;
      asked = null;
      Map<TopicPartition, Long> ends = done.ends().join();
      ends.forEach(this::note);
      done.waiting()
          .forEach(
              (topicPartition, waiting) -> {
                Long end = ends.get(topicPartition);
                if (end != null) {
                  check(topicPartition, waiting, end);
                }
              });
    }
    while (probe == null && !questions.isEmpty()) {
      begin(questions.remove());
    }
    ask();
  }

  /** Checks for records below an end offset that was requested while the topic-partition waited. */
  void check(TopicPartition topicPartition, Waiting waiting, long end) {
    Question question = new Question(topicPartition, waiting, end);
    long next = waiting.next();
    TopicPartitionSession session = stillWaiting(question);
    if (session == null || end == next) {
      return;
    }
    long reached = session.position().reached();
    if (end < next) {
      session.endBelow(next, end);
    } else if (reached > next) {
      session.pass(new OffsetGap(reached, Evidence.POSITION));
    } else {
      questions.add(question);
    }
  }

  boolean busy() {
    return probe != null || asked != null;
  }

  private void ask() {
    long nowMs = services.monotonic().millis();
    if (nowMs < nextMs || asked != null || probe != null) {
      return;
    }
    nextMs = nowMs + services.settings().endCheckIntervalMs();
    Map<TopicPartition, Waiting> waiting = new HashMap<>();
    sessions.forEach(
        (topicPartition, session) ->
            session
                .waiting()
                // A topic-partition with a batch has received records lately.
                .filter(each -> !hasBatch(session))
                .ifPresent(each -> waiting.put(topicPartition, each)));
    forgetUnanswered();
    if (sessions.isEmpty()) {
      services.waits().over(this);
    } else {
      Set<TopicPartition> of = Set.copyOf(sessions.keySet());
      asked =
          new Asked(
              waiting,
              services
                  .retries()
                  .until("ask for the end offsets", () -> ends(of))
                  .exceptionally(failure -> unknown(failure, Map.of())));
    }
  }

  /** Returns the end offsets; empty if Kafka does not respond, because a later request follows. */
  private Map<TopicPartition, Long> ends(Set<TopicPartition> of) {
    Instant begun = services.waits().now();
    try {
      Map<TopicPartition, Long> ends = services.topics().ends(of);
      services.waits().over(this);
      return ends;
    } catch (IOException e) {
      services.waits().failed(this, "", e, begun);
      LOG.debug("cannot read the end offsets: {}", PrintableText.of(e));
      return Map.of();
    }
  }

  /** Logs an unexpected failure and returns {@code nothing}; the next attempt may succeed. */
  static <T> T unknown(Throwable failure, T nothing) {
    if (!(failure instanceof CancellationException)) { // thrown when the task stops
      LOG.warn(
          "cannot find out what is below an end offset: {}", PrintableText.of(failure), failure);
    }
    return nothing;
  }

  private void note(TopicPartition topicPartition, long end) {
    TopicPartitionSession session = sessions.get(topicPartition);
    if (session != null) {
      session.progress().end(end);
    }
  }

  private void begin(Question question) {
    if (stillWaiting(question) != null) {
      TopicPartition topicPartition = question.topicPartition();
      OffsetRange range = new OffsetRange(question.waiting().next(), question.end());
      probe =
          new Probe(
              question,
              services
                  .retries()
                  .of(topicPartition, () -> true)
                  .until("look for records at " + range, () -> probe(question, range))
                  .exceptionally(failure -> unknown(failure, Undelivered.UNKNOWN)));
    }
  }

  /** Checks a range for records. If Kafka does not respond, a later check will find them. */
  private Undelivered probe(Question question, OffsetRange range) {
    TopicPartition topicPartition = question.topicPartition();
    int leaderEpoch = question.waiting().under().log().retained().leaderEpoch();
    Instant begun = services.waits().now();
    try {
      Undelivered undelivered = services.topics().undelivered(topicPartition, range, leaderEpoch);
      answered(topicPartition);
      return undelivered;
    } catch (IOException e) {
      services.waits().failed(new ProbeOf(topicPartition), topicPartition.toString(), e, begun);
      unanswered.add(topicPartition);
      LOG.debug("{}", PrintableText.messageOf(e));
      return Undelivered.UNKNOWN;
    }
  }

  private void answered(TopicPartition topicPartition) {
    if (unanswered.remove(topicPartition)) {
      services.waits().over(new ProbeOf(topicPartition));
    }
  }

  /** Ends waits that are obsolete: a record was delivered, or the topic-partition was revoked. */
  private void forgetUnanswered() {
    for (TopicPartition each : unanswered) {
      TopicPartitionSession session = sessions.get(each);
      if (session == null || hasBatch(session)) {
        answered(each);
      }
    }
  }

  private static boolean hasBatch(TopicPartitionSession session) {
    return session.intake().filter(RecordIntake::hasBatch).isPresent();
  }

  private void seen(Question question, Undelivered undelivered) {
    TopicPartitionSession session = stillWaiting(question);
    if (session == null) {
      return;
    }
    switch (undelivered) {
      case EMPTY -> session.pass(new OffsetGap(question.end(), Evidence.PROBE));
      case GONE -> session.pass(new OffsetGap(question.waiting().next(), Evidence.DELETED));
      case HAS_RECORDS, UNKNOWN -> {
        // Nothing to do. Records will be delivered. If there are none, a later check finds the gap.
      }
    }
  }

  /** Returns the session if it has received no record since the request, under the same claim. */
  private @Nullable TopicPartitionSession stillWaiting(Question question) {
    TopicPartitionSession session = sessions.get(question.topicPartition());
    return session != null && session.waiting().filter(question.waiting()::equals).isPresent()
        ? session
        : null;
  }
}
