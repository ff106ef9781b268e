package io.tidemark.connect.pipeline;

import io.tidemark.connect.intake.DeadLetters;
import io.tidemark.store.PrintableText;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Closes topic-partitions. Flushes their buffered records if there is time. Otherwise discards the
 * records, and the next owner reads them again. Called by the task's thread only.
 */
record ClosingSessions(
    List<TopicPartitionSession> closing, Optional<DeadLetters> deadLetters, long timeoutMs) {
  private static final Logger LOG = LoggerFactory.getLogger(ClosingSessions.class);
  private static final long ACKNOWLEDGEMENTS_POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  void close() {
    long deadlineNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMs);
    // Wait for running commits first: a topic-partition's batches are committed one by one.
    closing.forEach(TopicPartitionSession::cancelUnchecked);
    try {
      await(deadlineNanos);
      closing.forEach(TopicPartitionSession::flushIfFree);
      await(deadlineNanos);
    } finally {
      closing.forEach(TopicPartitionSession::close);
    }
  }

  private void await(long deadlineNanos) {
    CompletableFuture<Void> all =
        CompletableFuture.allOf(
            closing.stream().map(TopicPartitionSession::running).toArray(CompletableFuture[]::new));
    long leftNanos;
    do {
      // Only this thread can send dead letters, and a batch may wait for them.
      deadLetters.ifPresent(DeadLetters::advance);
      leftNanos = Math.max(0, deadlineNanos - System.nanoTime());
      try {
        all.get(Math.min(ACKNOWLEDGEMENTS_POLL_NANOS, leftNanos), TimeUnit.NANOSECONDS);
        return;
      } catch (ExecutionException e) {
        LOG.info("close() discarded a batch: {}", PrintableText.line(String.valueOf(e.getCause())));
        return;
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      } catch (TimeoutException e) {
        LOG.trace("close() waits for running commits");
      }
    } while (leftNanos > 0);
    LOG.info("close() did not wait longer than {} ms for running commits", timeoutMs);
  }
}
