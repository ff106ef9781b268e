package io.tidemark.connect.pipeline;

import static org.assertj.core.api.Assertions.assertThatCode;

import io.tidemark.connect.staging.Routing;
import io.tidemark.registry.wire.FramingReader;
import io.tidemark.store.batch.NullValues;
import io.tidemark.store.partition.PartitionSpec;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A worker's clock that is set forward or back while its task runs. */
final class WallClockTest {
  private static final int FLUSH_MS = 500;

  private final Quotes quotes = new Quotes();
  private final FakeDeadLetterQueue queue = new FakeDeadLetterQueue();
  private volatile Duration ahead = Duration.ZERO;
  private final InstantSource clock = () -> Instant.now().plus(ahead);

  @Test
  void clockThatIsSetBackDelaysNoFlush() throws Exception {
    quotes.produce(10);
    try (TestTask task = task()) {
      task.open(0);
      task.pollUntilLanded(0);
      quotes.produce(10);
      task.poll();
      ahead = Duration.ofHours(-1);
      task.pollUntil(() -> task.landed(0)); // Within 2 minutes, not an hour.
    }
  }

  @Test
  void clockThatIsSetForwardFailsNoDeadLetterInFlight() {
    queue.answering = false;
    quotes.topic.tombstone(0);
    try (TestTask task = task()) {
      task.open(0);
      task.pollUntil(() -> queue.unanswered.size() == 1);
      ahead = Duration.ofHours(1);
      assertThatCode(
              () -> {
                task.poll();
                queue.unanswered.get(0).complete(null);
                task.pollUntilLanded(0);
              })
          .doesNotThrowAnyException();
    }
  }

  private TestTask task() {
    Clock adjustable = clock.withZone(ZoneOffset.UTC);
    return new TestTask(
        quotes.topic,
        quotes.storage,
        new OneSchema(Quotes.SCHEMA, Quotes.SCHEMA_ID),
        FramingReader::new,
        name -> Routing.toOne(TestTask.table(name, PartitionSpec.NONE)),
        Optional.empty(),
        1_000,
        100,
        new TestTask.BadRecords(Optional.of(queue), NullValues.DEAD_LETTER, 10),
        new TestTask.Limits(64 << 20, 100, 1_000, FLUSH_MS),
        adjustable);
  }
}
