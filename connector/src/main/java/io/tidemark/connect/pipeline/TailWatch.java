package io.tidemark.connect.pipeline;

import io.tidemark.connect.batch.OffsetRange;
import io.tidemark.connect.commit.TopicMetadata.Tail;
import io.tidemark.connect.pipeline.intake.Passage;
import io.tidemark.connect.pipeline.intake.Passage.Evidence;
import io.tidemark.connect.pipeline.intake.PipelineServices;
import io.tidemark.connect.pipeline.intake.RecordIntake;
import io.tidemark.connect.pipeline.session.OpenTail.Waiting;
import io.tidemark.connect.pipeline.session.TopicPartitionSession;
import io.tidemark.connect.text.PrintableText;
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
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds out what lies behind the last records of the topic-partitions that wait for more: markers
 * of transactions, compacted records, and records that a transform has dropped are followed by
 * nothing that would account for them. From time to time Kafka is asked for the end offsets of all
 * topic-partitions, in one question, which tells their lag, too; then, for one topic-partition
 * after another, whether there is a record before the end. Used by the task's thread only, which
 * never waits here.
 */
final class TailWatch {
  private static final Logger LOG = LoggerFactory.getLogger(TailWatch.class);

  private final PipelineServices services;
  private final Map<TopicPartition, TopicPartitionSession> sessions;
  private final Queue<Question> questions = new ArrayDeque<>();
  private final Set<TopicPartition> untold = ConcurrentHashMap.newKeySet();

  private long nextMs;
  private @Nullable Asked asked;
  private @Nullable Look look;

  /** Kafka is asked for the end offsets of topic-partitions that waited then. */
  private record Asked(
      Map<TopicPartition, Waiting> waiting, CompletableFuture<Map<TopicPartition, Long>> ends) {}

  /** What lies from the expected offset up to an end is to be found out. */
  private record Question(TopicPartition topicPartition, Waiting waiting, long end) {}

  /** The wait of a topic-partition for what {@link #tail} could not see. */
  private record LookOf(TopicPartition topicPartition) {}

  private record Look(Question question, CompletableFuture<Tail> seen) {}

  /** {@code sessions} are those of the task, at any time. */
  TailWatch(PipelineServices services, Map<TopicPartition, TopicPartitionSession> sessions) {
    this.services = services;
    this.sessions = sessions;
    this.nextMs = services.monotonic().millis() + services.settings().tailIntervalMs();
  }

  /** To be called at the end of each put(), before the sessions' own look. */
  void endOfPut() {
    if (look != null && look.seen().isDone()) {
      Look done = look;
      look = null;
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
                  told(new Question(topicPartition, waiting, end));
                }
              });
    }
    while (look == null && !questions.isEmpty()) {
      begin(questions.remove());
    }
    ask();
  }

  /**
   * Finds out soon what lies before an end offset that was asked for since the topic-partition
   * waits there.
   */
  void look(TopicPartition topicPartition, Waiting waiting, long end) {
    told(new Question(topicPartition, waiting, end));
  }

  /** An answer is on its way. */
  boolean busy() {
    return look != null || asked != null;
  }

  private void ask() {
    long nowMs = services.monotonic().millis();
    if (nowMs < nextMs || asked != null || look != null) {
      return;
    }
    nextMs = nowMs + services.settings().tailIntervalMs();
    Map<TopicPartition, Waiting> waiting = new HashMap<>();
    sessions.forEach(
        (topicPartition, session) ->
            session
                .waiting()
                .filter(
                    each ->
                        session
                            .intake()
                            .filter(RecordIntake::hasBatch)
                            .isEmpty()) // What has a batch was given records lately.
                .ifPresent(each -> waiting.put(topicPartition, each)));
    forgetUntold();
    if (sessions.isEmpty()) {
      services.waits().over(this);
    } else {
      Set<TopicPartition> of = Set.copyOf(sessions.keySet());
      asked =
          new Asked(
              waiting,
              services
                  .retries()
                  .until("", "ask for the end offsets", () -> true, () -> ends(of))
                  .exceptionally(failure -> unknown(failure, Map.of())));
    }
  }

  /** None where Kafka does not answer: the next question will do. */
  private Map<TopicPartition, Long> ends(Set<TopicPartition> of) {
    Instant begun = services.waits().now();
    try {
      Map<TopicPartition, Long> ends = services.topics().ends(of);
      services.waits().over(this);
      return ends;
    } catch (IOException e) {
      services.waits().failed(this, "", e, begun);
      LOG.debug("the end offsets are not known: {}", PrintableText.of(e));
      return Map.of();
    }
  }

  /** What is known after a failure that no service has told as its own; the next try may do. */
  static <T> T unknown(Throwable failure, T nothing) {
    if (!(failure instanceof CancellationException)) { // which says that the task stops
      LOG.warn(
          "what lies before an end offset is not known: {}", PrintableText.of(failure), failure);
    }
    return nothing;
  }

  private void note(TopicPartition topicPartition, long end) {
    TopicPartitionSession session = sessions.get(topicPartition);
    if (session != null) {
      session.progress().end(end);
    }
  }

  private void told(Question question) {
    long expected = question.waiting().expected();
    TopicPartitionSession session = stillWaiting(question);
    if (session == null || question.end() == expected) {
      return;
    }
    long reached = session.position().reached();
    if (question.end() < expected) {
      session.endBelow(expected, question.end());
    } else if (reached > expected) {
      session.pass(new Passage(reached, Evidence.POSITION));
    } else {
      questions.add(question);
    }
  }

  private void begin(Question question) {
    if (stillWaiting(question) != null) {
      TopicPartition topicPartition = question.topicPartition();
      OffsetRange range = new OffsetRange(question.waiting().expected(), question.end());
      look =
          new Look(
              question,
              services
                  .retries()
                  .until(
                      topicPartition.toString(),
                      "look for records at " + range,
                      () -> true,
                      () -> tail(topicPartition, range))
                  .exceptionally(failure -> unknown(failure, Tail.UNKNOWN)));
    }
  }

  /** Where Kafka does not answer, the next look will do. */
  private Tail tail(TopicPartition topicPartition, OffsetRange range) {
    Instant begun = services.waits().now();
    try {
      Tail tail = services.topics().tail(topicPartition, range);
      told(topicPartition);
      return tail;
    } catch (IOException e) {
      services.waits().failed(new LookOf(topicPartition), topicPartition.toString(), e, begun);
      untold.add(topicPartition);
      LOG.debug("{}", PrintableText.messageOf(e));
      return Tail.UNKNOWN;
    }
  }

  private void told(TopicPartition topicPartition) {
    if (untold.remove(topicPartition)) {
      services.waits().over(new LookOf(topicPartition));
    }
  }

  /** Nobody waits for what lies there any more: a record has come, or another task has it. */
  private void forgetUntold() {
    for (TopicPartition each : untold) {
      TopicPartitionSession session = sessions.get(each);
      if (session == null || session.intake().filter(RecordIntake::hasBatch).isPresent()) {
        told(each);
      }
    }
  }

  private void seen(Question question, Tail tail) {
    TopicPartitionSession session = stillWaiting(question);
    if (session == null) {
      return;
    }
    switch (tail) {
      case EMPTY -> session.pass(new Passage(question.end(), Evidence.LOOK));
      case GONE -> session.pass(new Passage(question.waiting().expected(), Evidence.GONE));
      case HAS_RECORDS, UNKNOWN -> {
        // They are delivered some time, or the next look knows more.
      }
    }
  }

  /** The session, if nothing has come since, under the same claim. */
  private @Nullable TopicPartitionSession stillWaiting(Question question) {
    TopicPartitionSession session = sessions.get(question.topicPartition());
    return session != null && session.waiting().filter(question.waiting()::equals).isPresent()
        ? session
        : null;
  }
}
