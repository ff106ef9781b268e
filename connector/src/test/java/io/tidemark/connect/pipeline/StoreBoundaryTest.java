package io.tidemark.connect.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.store.FaultyStorage;
import io.tidemark.store.partition.FieldPartitioned;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Hive partitions into which no file can be renamed until an operator acts. */
final class StoreBoundaryTest {
  private final Quotes quotes = new Quotes();
  private final FaultyStorage storage = new FaultyStorage(quotes.storage);

  @Test
  void batchThatCouldNotBePublishedIsNotCommittedUntilItCan() throws Exception {
    quotes.produce("x");
    storage.failBefore(call -> call.equals("requireRenames /topics/quotes/key=x"));
    try (TestTask task = task()) {
      task.open(0);
      assertThat(task.reaches(1_000, () -> task.landed(0))).isFalse();
      assertThat(LandedRows.batches(quotes.storage, Quotes.LOG)).isEmpty();
      storage.heal();
      task.pollUntilLanded(0);
    }
    assertThat(quotes.keys()).containsExactly("x");
  }

  @Test
  void batchThatAHivePartitionRefusesAfterTheCommitIsPublishedOnceItTakesIt() throws Exception {
    quotes.produce("x");
    storage.failBefore(call -> call.startsWith("rename /topics/quotes/key=x"));
    try (TestTask task = task()) {
      task.open(0);
      task.pollUntilLanded(0);
      assertThat(task.reaches(500, () -> !keys().isEmpty())).isFalse();
      storage.heal();
      task.pollUntil(() -> !keys().isEmpty());
    }
    assertThat(quotes.keys()).containsExactly("x");
  }

  private List<String> keys() {
    try {
      return quotes.keys();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private TestTask task() {
    return new TestTask(
        quotes.topic,
        storage,
        new OneSchema(Quotes.SCHEMA, Quotes.SCHEMA_ID),
        FieldPartitioned.parse("key"),
        Optional.empty(),
        1_000,
        100);
  }
}
