package io.tidemark.connect.pipeline;

import io.tidemark.connect.intake.LandingException;
import io.tidemark.connect.intake.PipelineServices;
import io.tidemark.store.AttendedTime;
import io.tidemark.store.TopicPartition;
import io.tidemark.store.commit.CommitEntry;
import io.tidemark.store.commit.FencedException;
import io.tidemark.store.commit.KafkaRefusedException;
import io.tidemark.store.commit.KafkaUnavailableException;
import io.tidemark.store.commit.OwnedLog;
import io.tidemark.store.commit.TopicMetadata.GroupOffset;
import io.tidemark.store.log.CorruptLogException;
import io.tidemark.store.log.NumberedEntry;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The proof, for one claim, that the worker's consumer and the connector's own client use the same
 * Kafka cluster. The consumer commits an offset with the claim's UUID as metadata. The proof is
 * complete when the client reads this offset from the consumer group. Called by the task's thread;
 * the reads are asynchronous.
 */
public final class ClusterProof {
  /**
   * The pause before the task asks Connect again to commit offsets. A commit can fail, for example
   * during a rebalance.
   */
  private static final long ASKED_AGAIN_MS = 1_000;

  private static final long NOT_ANSWERED = Long.MIN_VALUE;

  private final TopicPartition topicPartition;
  private final OwnedLog owned;
  private final String text;
  private final PipelineServices services;
  private final BooleanSupplier wanted;
  private final CompletableFuture<Void> given = new CompletableFuture<>();

  private boolean told;
  private @Nullable CompletableFuture<Void> reading;
  // Only the step that reads the group's offset uses this field.
  private final AttendedTime time;
  private long answeredMs = NOT_ANSWERED;
  private long askedMs;

  ClusterProof(
      TopicPartition topicPartition,
      OwnedLog owned,
      PipelineServices services,
      BooleanSupplier wanted) {
    this.topicPartition = topicPartition;
    this.owned = owned;
    this.text = owned.claim().toString();
    this.services = services;
    this.wanted = wanted;
    long timeoutMs = services.settings().clusterProofTimeoutMs();
    // A longer time between two reads means that the process was suspended. Connect has possibly
    // committed no offsets meanwhile, so only the usual pause counts.
    this.time =
        new AttendedTime(
            services.monotonic(),
            Math.min(services.settings().backoffMs() + ASKED_AGAIN_MS, timeoutMs / 2));
    this.askedMs = services.monotonic().millis() - ASKED_AGAIN_MS;
  }

  /**
   * Called when an offset is passed to Connect, which commits it.
   *
   * @return the metadata that Connect commits with the offset
   */
  public String tell() {
    told = true;
    return text;
  }

  /** Returns whether the proof can complete during close(), in which Connect commits no offsets. */
  boolean canCome() {
    return given.isDone() || reading != null;
  }

  /** Returns a future that completes with the proof, and fails if the proof is impossible. */
  CompletableFuture<Void> given() {
    return given;
  }

  /** Cancels the wait for the proof, because the claim commits nothing more. */
  void abandon() {
    given.completeExceptionally(
        new CancellationException(topicPartition + ": the claim has ended"));
  }

  /** Returns whether Connect should commit offsets now, and starts to read them. */
  boolean wantsCommit() {
    if (given.isDone()) {
      return false;
    }
    if (told && reading == null) {
      reading =
          services
              .retries()
              .untilDone(topicPartition.toString(), "read the group's offset", wanted, this::read)
              .whenComplete(
                  (done, failure) -> {
                    if (failure == null) {
                      given.complete(null);
                    } else {
                      given.completeExceptionally(failure);
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

  private void read() throws IOException, CorruptLogException, FencedException {
    long nowMs = time.millis();
    Optional<GroupOffset> group;
    try {
      group = services.topics().groupOffset(topicPartition);
    } catch (KafkaRefusedException e) {
      throw new LandingException(
          topicPartition
              + ": the connector's own Kafka client has no permission to DESCRIBE the consumer group, so it cannot be proved that "
              + "the client uses the cluster that delivers the records: "
              + e.getMessage()
              + " Then restart the task.",
          e);
    } catch (IOException e) {
      answeredMs = NOT_ANSWERED; // Restart the time limit after an outage.
      throw e;
    }
    if (group.isPresent() && group.get().metadata().equals(text)) {
      return;
    }
    // A new owner of the log overwrites this task's offsets in the group.
    Optional<NumberedEntry<CommitEntry>> fence = owned.log().fenceAbove(owned.number());
    if (fence.isPresent()) {
      throw owned.fencedBy(fence.get());
    }
    if (answeredMs == NOT_ANSWERED) {
      answeredMs = nowMs;
    }
    long waitedMs = nowMs - answeredMs;
    if (waitedMs > services.settings().clusterProofTimeoutMs()) {
      throw new LandingException(
          topicPartition
              + ": for "
              + waitedMs
              + " ms the task has waited for the worker's consumer to commit an offset, and the consumer group at "
              + "kafka.bootstrap.servers does not have it ("
              + group.map(offset -> "it is at " + offset.offset()).orElse("it has no offset")
              + "), so the two use different Kafka clusters, or the worker cannot commit offsets. Nothing has been committed "
              + "under this claim. Set kafka.bootstrap.servers to the brokers that the "
              + "worker consumes from, and look for failed commits of offsets in the worker's log: its consumer needs the "
              + "right to READ the group.");
    }
    throw new KafkaUnavailableException(
        "the group does not have the offset that was committed under this claim yet");
  }
}
