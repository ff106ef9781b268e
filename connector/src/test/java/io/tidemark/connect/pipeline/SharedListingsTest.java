package io.tidemark.connect.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.registry.wire.FramingReader;
import io.tidemark.store.FaultyStorage;
import io.tidemark.store.partition.PartitionSpec;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * A directory with names of all topic-partitions is not listed for each of them: the claims of a
 * topic with 1,000 topic-partitions would read a million names.
 */
final class SharedListingsTest {
  private static final int TOPIC_PARTITIONS = 100;
  private static final int MOST_LISTINGS = 10;

  private final Quotes quotes = new Quotes();
  private final FaultyStorage storage = new FaultyStorage(quotes.storage);

  @Test
  void claimsThatBeginTogetherListTheirTableTogether() {
    try (TestTask task = task()) {
      openAll(task);
    }
    AtomicInteger listings = new AtomicInteger();
    storage.failBefore(
        call -> {
          if (call.equals("list /topics/quotes/.staging")) {
            listings.incrementAndGet();
          }
          return false;
        });
    try (TestTask task = task()) {
      openAll(task);
      assertThat(listings.get()).isBetween(1, MOST_LISTINGS);
    }
  }

  private void openAll(TestTask task) {
    task.open(IntStream.range(0, TOPIC_PARTITIONS).toArray());
    task.pollUntil(() -> task.committedOffsets().size() == TOPIC_PARTITIONS);
  }

  private TestTask task() {
    return new TestTask(
        quotes.topic,
        storage,
        new OneSchema(Quotes.SCHEMA, Quotes.SCHEMA_ID),
        FramingReader::new,
        PartitionSpec.NONE,
        Optional.empty(),
        10,
        100,
        TestTask.BadRecords.STOP,
        TestTask.Limits.WIDE);
  }
}
