package io.tidemark.connect.intake;

import io.tidemark.connect.staging.BatchStager.RejectedRecords;
import io.tidemark.connect.staging.RejectedRecordException;
import io.tidemark.store.batch.BatchIdCounter;
import io.tidemark.store.batch.OffsetRanges;
import io.tidemark.store.batch.RejectedRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The records of one batch that cannot land. With a dead letter topic, they are sent to it, and the
 * batch waits. Without one, the first such record fails the batch. Thread-safe.
 */
public final class BatchDeadLetters implements RejectedRecords {
  private static final Logger LOG = LoggerFactory.getLogger(BatchDeadLetters.class);

  private final Optional<DeadLetters> deadLetters;
  private final CompletableFuture<OffsetRanges> acknowledged = new CompletableFuture<>();
  private final List<Long> offsets = new ArrayList<>();
  private volatile int taken;
  private long unacknowledged;
  private boolean complete;
  private volatile boolean abandoned;

  public BatchDeadLetters(Optional<DeadLetters> deadLetters) {
    this.deadLetters = deadLetters;
  }

  @Override
  public void take(RejectedRecord rejected) throws RejectedRecordException {
    DeadLetters all =
        deadLetters.orElseThrow(
            () ->
                new RejectedRecordException(
                    rejected.place(),
                    rejected.reason()
                        + " Skip this record, or send such records to a dead letter topic (errors.tolerance=all, errors.deadletterqueue.topic.name)."));
    synchronized (this) {
      if (offsets.isEmpty()) {
        LOG.warn("the first dead letter of a batch: {}", rejected);
      }
      offsets.add(rejected.place().offset());
      rejected.counter().ifPresent(BatchIdCounter::deadLetter);
      taken = offsets.size();
      unacknowledged++;
    }
    all.add(rejected, this);
  }

  public int taken() {
    return taken;
  }

  /** Ends the input. The returned future completes when Kafka has acknowledged all dead letters. */
  public synchronized CompletableFuture<OffsetRanges> complete() {
    complete = true;
    completeWhenAcknowledged();
    return acknowledged;
  }

  /** Like {@link #complete}, but before that call it only fails if a dead letter fails. */
  public CompletableFuture<OffsetRanges> result() {
    return acknowledged;
  }

  synchronized void acknowledged() {
    unacknowledged--;
    completeWhenAcknowledged();
  }

  void fail(Exception failure) {
    acknowledged.completeExceptionally(failure);
  }

  /** Cancels the dead letters that have not been sent, as the batch is discarded. */
  public void abandon() {
    abandoned = true;
  }

  boolean abandoned() {
    return abandoned;
  }

  private void completeWhenAcknowledged() {
    if (complete && unacknowledged == 0) {
      acknowledged.complete(OffsetRanges.of(offsets.stream().mapToLong(Long::longValue).toArray()));
    }
  }
}
