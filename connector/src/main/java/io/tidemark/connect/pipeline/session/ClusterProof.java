package io.tidemark.connect.pipeline.session;

import io.tidemark.connect.commit.FencedException;
import io.tidemark.connect.commit.KafkaRefusedException;
import io.tidemark.connect.commit.KafkaUnavailableException;
import io.tidemark.connect.commit.OwnedLog;
import io.tidemark.connect.commit.TopicMetadata.GroupOffset;
import io.tidemark.connect.commit.entry.CommitEntry;
import io.tidemark.connect.pipeline.intake.PipelineServices;
import io.tidemark.connect.pipeline.setting.LandingException;
import io.tidemark.connect.storage.log.CorruptLogException;
import io.tidemark.connect.storage.log.NumberedEntry;
import io.tidemark.connect.time.AttendedTime;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * The proof, for one claim, that the consumer that delivers records and our own client, which tells
 * of topics and offsets, speak to one Kafka cluster: our client reads back from the consumer group
 * what the consumer has committed there, with the claim's UUID as its metadata. Asked by the task's
 * thread; the looking goes on behind.
 */
public final class ClusterProof {
  /** A commit may be refused, as in a rebalance: the framework is asked again after so long. */
  private static final long ASKED_AGAIN_MS = 1_000;

  private static final long NOT_ANSWERED = Long.MIN_VALUE;

  private final TopicPartition topicPartition;
  private final OwnedLog owned;
  private final String text;
  private final PipelineServices services;
  private final BooleanSupplier wanted;
  private final CompletableFuture<Void> given = new CompletableFuture<>();

  private boolean told;
  private @Nullable CompletableFuture<Void> looking;
  // Touched only by the step that looks.
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
    // A look follows the one before after a pause. After a longer gap the framework may not have
    // committed yet what it was given.
    this.time =
        new AttendedTime(
            services.monotonic(),
            Math.min(services.settings().backoffMs() + ASKED_AGAIN_MS, timeoutMs / 2));
    this.askedMs = services.monotonic().millis() - ASKED_AGAIN_MS;
  }

  /**
   * To be called when an offset is given to the framework, which will commit it.
   *
   * @return the metadata that it has under this claim
   */
  public String tell() {
    told = true;
    return text;
  }

  /** Whether the proof can come while the task's thread waits. */
  boolean canCome() {
    return given.isDone() || looking != null;
  }

  /** When the proof is there; fails where there cannot be one. */
  CompletableFuture<Void> given() {
    return given;
  }

  /** Nothing is told under the claim any more: what waits for the proof is given up. */
  void abandon() {
    given.completeExceptionally(new CancellationException(topicPartition + ": the claim was left"));
  }

  /** Whether the framework should be asked to commit offsets now; begins to look for them. */
  boolean wantsCommit() {
    if (given.isDone()) {
      return false;
    }
    if (told && looking == null) {
      looking =
          services
              .retries()
              .untilDone(topicPartition.toString(), "see the group's offset", wanted, this::look)
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

  private void look() throws IOException, CorruptLogException, FencedException {
    long nowMs = time.millis();
    Optional<GroupOffset> group;
    try {
      group = services.topics().groupOffset(topicPartition);
    } catch (KafkaRefusedException e) {
      throw new LandingException(
          topicPartition
              + ": the connector's own Kafka client may not see the consumer group, so it cannot be proved that it speaks "
              + "to the cluster that delivers the records: "
              + e.getMessage()
              + " Then restart the task.",
          e);
    } catch (IOException e) {
      answeredMs = NOT_ANSWERED; // An outage is waited out.
      throw e;
    }
    if (group.isPresent() && group.get().metadata().equals(text)) {
      return;
    }
    // Who has taken the log commits its own offsets over ours.
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
              + ": the consumer group at kafka.bootstrap.servers has not shown for "
              + waitedMs
              + " ms what the worker's consumer was given to commit ("
              + group.map(offset -> "it stands at " + offset.offset()).orElse("it has no offset")
              + "), so the two speak to different Kafka clusters, or the worker cannot commit offsets. Nothing is landed by "
              + "one cluster's offsets with another's records. Set kafka.bootstrap.servers to the brokers that the "
              + "worker consumes from, and look for failed commits of offsets in the worker's log: its consumer needs the "
              + "right to READ the group.");
    }
    throw new KafkaUnavailableException(
        "the group does not show what was committed under this claim yet");
  }
}
