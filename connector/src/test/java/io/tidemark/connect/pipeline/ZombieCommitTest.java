package io.tidemark.connect.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.store.FaultyStorage;
import io.tidemark.store.Storage;
import io.tidemark.store.commit.CommitEntry;
import io.tidemark.store.partition.PartitionSpec;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The timeline of iceberg#17551. A task is paused during its commit. A successor reads and commits
 * the same records. Then the first task wakes and commits late.
 */
final class ZombieCommitTest {

  private final Quotes quotes = new Quotes();

  @ParameterizedTest
  @ValueSource(
      strings = {
        "create /logs/quotes/quotes/0/.00000000000000000002",
        "rename /logs/quotes/quotes/0/00000000000000000002.json",
        "makeDirectories /topics/quotes",
      })
  void zombieThatCommitsAfterItsSuccessorCommitsNothing(String pausedAt) throws Exception {
    quotes.produce(40);
    CountDownLatch paused = new CountDownLatch(1);
    CountDownLatch woken = new CountDownLatch(1);
    try (TestTask zombie = task(pausing(pausedAt, paused, woken))) {
      zombie.open(0);
      zombie.pollUntil(() -> paused.getCount() == 0);

      try (TestTask successor = task(quotes.storage)) {
        successor.open(0);
        successor.pollUntilLanded(0);
      }
      assertThat(quotes.keys()).containsExactlyElementsOf(quotes.produced);
      List<CommitEntry.Batch> committed = LandedRows.batches(quotes.storage, Quotes.LOG);

      woken.countDown();
      zombie.pollUntilLanded(0);
      assertThat(LandedRows.batches(quotes.storage, Quotes.LOG)).isEqualTo(committed);
      assertThat(quotes.keys()).containsExactlyElementsOf(quotes.produced);

      quotes.produce(10);
      zombie.pollUntilLanded(0);
    }
    assertThat(quotes.log().read(2).entry()).isInstanceOf(CommitEntry.Claim.class);
    assertThat(quotes.keys()).containsExactlyElementsOf(quotes.produced);
    assertThat(LandedRows.staged(quotes.storage, Quotes.ROOT)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"create /topics/quotes/.staging/", "rename /topics/quotes/quotes"})
  void zombieThatPublishesAfterItsSuccessorPublishesNothingTwice(String pausedAt) throws Exception {
    quotes.produce(40);
    CountDownLatch paused = new CountDownLatch(1);
    CountDownLatch woken = new CountDownLatch(1);
    Storage pausing =
        pausing(pausedAt + (pausedAt.startsWith("create") ? "|published+" : ""), paused, woken);
    try (TestTask zombie = task(pausing)) {
      zombie.open(0);
      zombie.pollUntil(() -> paused.getCount() == 0);
      assertThat(quotes.storage.open(Quotes.LOG.child("00000000000000000002.json"))).isNotNull();

      try (TestTask successor = task(quotes.storage)) {
        successor.open(0);
        successor.pollUntilLanded(0);
      }
      assertThat(quotes.keys()).containsExactlyElementsOf(quotes.produced);

      woken.countDown();
      quotes.produce(10);
      zombie.pollUntilLanded(0);
    }
    assertThat(quotes.keys()).containsExactlyElementsOf(quotes.produced);
    assertThat(LandedRows.staged(quotes.storage, Quotes.ROOT)).isEmpty();
  }

  /** A task that lands all present records as one batch. */
  private TestTask task(Storage storage) {
    return new TestTask(
        quotes.topic,
        storage,
        new OneSchema(Quotes.SCHEMA, Quotes.SCHEMA_ID),
        PartitionSpec.NONE,
        Optional.empty(),
        1_000,
        100);
  }

  /**
   * A store in which the first matching call waits until it is woken. The part of {@code call}
   * before a bar is the beginning of the call, and the part after it must be contained in the call.
   */
  private Storage pausing(String call, CountDownLatch paused, CountDownLatch woken) {
    String[] parts = call.split("\\|", -1);
    AtomicBoolean first = new AtomicBoolean(true);
    FaultyStorage storage = new FaultyStorage(quotes.storage);
    storage.failBefore(
        made -> {
          boolean exactly = parts[0].startsWith("makeDirectories");
          if ((exactly ? made.equals(parts[0]) : made.startsWith(parts[0]))
              && made.contains(parts[parts.length - 1])
              && first.compareAndSet(true, false)) {
            paused.countDown();
            try {
              woken.await();
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
          }
          return false;
        });
    return storage;
  }
}
