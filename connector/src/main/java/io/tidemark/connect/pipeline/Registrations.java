package io.tidemark.connect.pipeline;

import io.tidemark.connect.commit.entry.CommitEntry;
import io.tidemark.connect.commit.entry.NumberedEntry;
import io.tidemark.connect.publish.Registrar;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.apache.kafka.common.TopicPartition;

/**
 * The published batches of one claim on their way to the catalog, one after another. Landing does
 * not wait for them; the next entry tells how far they are. Safe for use by many threads.
 */
final class Registrations {
  private final TopicPartition topicPartition;
  private final Optional<Registrar> registrar;
  private final Retries retries;
  private final BooleanSupplier wanted;
  private final AtomicInteger taskBacklog;
  private final AtomicLong through = new AtomicLong();
  private volatile boolean abandoned;
  private CompletableFuture<Void> last = CompletableFuture.completedFuture(null);

  /** {@code taskBacklog} counts the files that wait, over all topic-partitions of the task. */
  Registrations(
      TopicPartition topicPartition,
      Optional<Registrar> registrar,
      Retries retries,
      BooleanSupplier wanted,
      AtomicInteger taskBacklog) {
    this.topicPartition = topicPartition;
    this.registrar = registrar;
    this.retries = retries;
    this.wanted = wanted;
    this.taskBacklog = taskBacklog;
  }

  /** All entries up to this number are registered. */
  long through() {
    return through.get();
  }

  /** What was added so far; fails when the catalog refuses something for good. */
  synchronized CompletableFuture<Void> all() {
    return last;
  }

  /** Adds an entry; those up to its number count as registered once it is. */
  synchronized void add(NumberedEntry published) {
    if (registrar.isEmpty() || !(published.entry() instanceof CommitEntry.Batch batch)) {
      last = last.thenRun(() -> through.set(published.number()));
      return;
    }
    // Most of what an entry keeps in memory is its files.
    int files = Math.max(1, batch.files().size());
    taskBacklog.addAndGet(files);
    last =
        last.thenCompose(
                before ->
                    retries.untilDone(
                        topicPartition + ": register entry " + published.number(),
                        () -> wanted.getAsBoolean() && !abandoned,
                        () -> {
                          registrar.get().register(batch);
                          through.set(published.number());
                        }))
            .whenComplete((done, failure) -> taskBacklog.addAndGet(-files));
  }

  /** Gives up what is not registered yet: the next claim finds it in the log. */
  void abandon() {
    abandoned = true;
  }

  /**
   * Notes that the entries up to a number hold nothing that is to be registered once what was added
   * is.
   */
  synchronized void addThrough(long number) {
    last = last.thenRun(() -> through.set(number));
  }
}
