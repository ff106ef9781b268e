package io.tidemark.connect.pipeline;

import io.tidemark.connect.intake.LandingException;
import io.tidemark.connect.intake.PipelineServices;
import io.tidemark.connect.intake.Retries;
import io.tidemark.store.AttendedTime;
import io.tidemark.store.TopicPartition;
import io.tidemark.store.commit.KafkaRefusedException;
import io.tidemark.store.commit.KafkaUnavailableException;
import io.tidemark.store.commit.OwnedLog;
import io.tidemark.store.commit.TopicIdentity;
import io.tidemark.store.commit.TopicMetadata.GroupOffset;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The check, for one claim, that the worker's consumer and the connector's own client use the same
 * Kafka cluster. The consumer commits an offset with the claim's UUID as metadata, and the client
 * reads it from the consumer group. Called by the task's thread; the reads are asynchronous.
 */
final class ClusterCheck {
  /** The pause before the task asks Connect again to commit offsets: a commit can fail. */
  private static final long ASKED_AGAIN_MS = 1_000;

  private static final long NOT_ANSWERED = Long.MIN_VALUE;

  private final TopicPartition topicPartition;
  private final OwnedLog owned;
  private final String text;
  private final PipelineServices services;
  private final Retries retries;
  private final CompletableFuture<Void> done = new CompletableFuture<>();

  private boolean passed;
  private @Nullable CompletableFuture<Void> reading;
  // Only the step that reads the group's offset uses this field.
  private final AttendedTime time;
  private long answeredMs = NOT_ANSWERED;
  private long askedMs;

  ClusterCheck(
      TopicPartition topicPartition, OwnedLog owned, PipelineServices services, Retries retries) {
    this.topicPartition = topicPartition;
    this.owned = owned;
    this.text = owned.claim().toString();
    this.services = services;
    this.retries = retries;
    long timeoutMs = services.settings().clusterCheckTimeoutMs();
    // A longer time between two reads means that the process was suspended. Connect has possibly
    // committed no offsets meanwhile, so only the usual pause counts.
    this.time =
        new AttendedTime(
            services.monotonic(),
            Math.min(services.settings().backoffMs() + ASKED_AGAIN_MS, timeoutMs / 2));
    this.askedMs = services.monotonic().millis() - ASKED_AGAIN_MS;
  }

  /** Returns the metadata for an offset that is passed to Connect, to be committed. */
  String metadata() {
    passed = true;
    return text;
  }

  /** Returns whether the check can succeed during close(), in which Connect commits no offsets. */
  boolean canSucceed() {
    return done.isDone() || reading != null;
  }

  /** Returns a future that completes when the check succeeds, and fails if it cannot. */
  CompletableFuture<Void> result() {
    return done;
  }

  /** Cancels the check, because the claim commits nothing more. */
  void abandon() {
    done.completeExceptionally(new CancellationException(topicPartition + ": the claim has ended"));
  }

  /** Returns whether Connect should commit offsets now, and starts to read them. */
  boolean wantsCommit() {
    if (done.isDone()) {
      return false;
    }
    if (passed && reading == null) {
      reading =
          retries
              .untilDone("read the group's offset", this::read)
              .whenComplete(
                  (read, failure) -> {
                    if (failure == null) {
                      done.complete(null);
                    } else {
                      done.completeExceptionally(failure);
                    }
                  });
    }
    long nowMs = services.monotonic().millis();
    if (nowMs - askedMs < ASKED_AGAIN_MS) {
      return false;
    }
    askedMs = nowMs;
    return true;
  }

  private void read() throws Exception {
    long nowMs = time.millis();
    Optional<GroupOffset> group;
    try {
      group = services.topics().groupOffset(topicPartition);
    } catch (KafkaRefusedException e) {
      throw new LandingException(
          "%s: the connector's own Kafka client has no permission to DESCRIBE the consumer group, so it cannot be proved that the client uses the cluster that delivers the records: %s Then restart the task."
              .formatted(topicPartition, e.getMessage()),
          e);
    } catch (IOException e) {
      answeredMs = NOT_ANSWERED; // Restart the time limit after an outage.
      throw e;
    }
    if (group.isPresent() && group.get().metadata().equals(text)) {
      return;
    }
    // A new owner of the log overwrites this task's offsets in the group.
    owned.requireUnfenced();
    if (answeredMs == NOT_ANSWERED) {
      answeredMs = nowMs;
    }
    long waitedMs = nowMs - answeredMs;
    if (waitedMs > services.settings().clusterCheckTimeoutMs()) {
      // Connect can commit no offset of a deleted topic, so this asks until there is one again.
      TopicIdentity now = services.topics().identity(topicPartition.topic());
      if (!owned.state().generation().isOf(now)) {
        throw ReadAgainException.ofTopic(topicPartition, owned.state().generation(), now);
      }
      throw new LandingException(
          "%s: for %d ms the task has waited for the worker's consumer to commit an offset, and the consumer group at kafka.bootstrap.servers does not have it (%s), so the two use different Kafka clusters, or the worker cannot commit offsets. Nothing has been committed under this claim. Set kafka.bootstrap.servers to the brokers that the worker consumes from, and look for failed commits of offsets in the worker's log: its consumer needs the right to READ the group."
              .formatted(
                  topicPartition,
                  waitedMs,
                  group.map(offset -> "it is at " + offset.offset()).orElse("it has no offset")));
    }
    throw new KafkaUnavailableException(
        "the group does not have the offset that was committed under this claim yet");
  }
}
