package io.tidemark.connect.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.connect.intake.LandingException;
import io.tidemark.registry.RegisteredSchema;
import io.tidemark.registry.RegistryException;
import io.tidemark.registry.RegistryUnavailableException;
import io.tidemark.registry.SchemaId;
import io.tidemark.registry.SchemaRegistry;
import io.tidemark.registry.cache.CacheSettings;
import io.tidemark.registry.cache.CachingSchemaRegistry;
import io.tidemark.store.batch.NullValues;
import io.tidemark.store.partition.PartitionSpec;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A registry that was wiped while tasks run or are stopped, and then reuses an id. */
@Timeout(300)
final class WipedRegistryTest {
  /** Its bytes are valid for {@link Quotes#SCHEMA} too, but have another meaning. */
  private static final Schema AFTER =
      SchemaBuilder.record("Quote")
          .fields()
          .requiredString("key")
          .name("price")
          .prop("unit", "cent")
          .type()
          .longType()
          .noDefault()
          .endRecord();

  private static final String CONTRADICTED = "quotes-0: schema id 1 of memory had the schema with";

  @TempDir Path directory;

  private final Quotes quotes = new Quotes();
  private final FakeDeadLetterQueue queue = new FakeDeadLetterQueue();
  private volatile Schema registered = Quotes.SCHEMA;
  private volatile boolean away;

  @Test
  void copyOnDiskLandsNothingOfAnIdThatWasGivenAgain() throws Exception {
    quotes.produce(10);
    try (CachingSchemaRegistry registry = registry(Optional.of(copy()))) {
      quotes.land(task(registry));
    }
    registered = AFTER;
    quotes.produce(10);
    for (int restart = 0; restart < 3; restart++) {
      try (CachingSchemaRegistry registry = registry(Optional.of(copy()))) {
        assertThat(quotes.landOrStop(task(registry)))
            .hasValueSatisfying(
                stop ->
                    assertThat(stop)
                        .hasMessageStartingWith("quotes-0@10: records with schema id 1 cannot land")
                        .hasMessageContainingAll("had the schema with fingerprint", "now has"));
      }
    }
    assertThat(quotes.next()).isEqualTo(10);
    assertThat(queue.offsets()).isEmpty();
  }

  @Test
  void idThatWasGivenAgainWhileTheRegistryWasAwayStopsTheTopicWhenItAnswers() throws Exception {
    quotes.produce(10);
    try (CachingSchemaRegistry registry = registry(Optional.of(copy()))) {
      quotes.land(task(registry));
    }
    away = true;
    quotes.produce(10);
    try (CachingSchemaRegistry registry = registry(Optional.of(copy()));
        TestTask task = task(registry)) {
      task.open(0);
      task.pollUntilLanded(0);
      registered = AFTER;
      away = false;
      awaitContradiction(registry);
      quotes.produce(5);
      assertThatThrownBy(() -> task.pollUntilLanded(0))
          .isInstanceOf(LandingException.class)
          .hasMessageStartingWith(CONTRADICTED);
    }
    assertThat(quotes.next()).isEqualTo(20);
  }

  @Test
  void idThatWasGivenAgainWhileTheTaskRunsStopsTheTopic() throws Exception {
    quotes.produce(10);
    try (CachingSchemaRegistry registry = registry(Optional.empty());
        TestTask task = task(registry)) {
      task.open(0);
      task.pollUntilLanded(0);
      registered = AFTER;
      awaitContradiction(registry);
      quotes.produce(5);
      assertThatThrownBy(() -> task.pollUntilLanded(0))
          .isInstanceOf(LandingException.class)
          .hasMessageStartingWith(CONTRADICTED);
    }
    assertThat(quotes.next()).isEqualTo(10);
    assertThat(queue.offsets()).isEmpty();
  }

  /** Each put() fills a flush, so no batch is open at its end. */
  @Test
  void idThatWasGivenAgainStopsATopicWhoseEveryRecordIsABatch() throws Exception {
    quotes.produce(1);
    try (CachingSchemaRegistry registry = registry(Optional.empty());
        TestTask task = task(registry, 1)) {
      task.open(0);
      task.pollUntilLanded(0);
      registered = AFTER;
      awaitContradiction(registry);
      assertThatThrownBy(
              () -> {
                for (int record = 0; record < 20; record++) {
                  quotes.produce(1);
                  task.pollUntilLanded(0);
                  task.reaches(50, () -> false); // The flush ends before the next put().
                }
              })
          .isInstanceOf(LandingException.class)
          .hasMessageStartingWith(CONTRADICTED);
    }
    assertThat(quotes.next()).isEqualTo(1);
  }

  @Test
  void batchThatWaitsForItsCommitIsNotCommittedOnceItsIdWasGivenAgain() throws Exception {
    quotes.produce(10);
    try (CachingSchemaRegistry registry = registry(Optional.empty());
        TestTask task = task(registry, 10)) {
      task.open(0);
      task.holdOffsetsBack(true); // The batch waits for the proof of its claim.
      task.reaches(500, () -> false);
      registered = AFTER;
      awaitContradiction(registry);
      task.holdOffsetsBack(false);
      assertThatThrownBy(() -> task.pollUntilLanded(0))
          .isInstanceOf(LandingException.class)
          .hasMessageStartingWith(CONTRADICTED);
    }
    assertThat(quotes.next()).isNotEqualTo(10);
  }

  @Test
  void formerSchemasRestoredUnderTheirIdsLandTheRest() throws Exception {
    quotes.produce(10);
    try (CachingSchemaRegistry registry = registry(Optional.of(copy()))) {
      quotes.land(task(registry));
    }
    registered = AFTER;
    quotes.produce(10);
    try (CachingSchemaRegistry registry = registry(Optional.of(copy()))) {
      assertThat(quotes.landOrStop(task(registry)).orElseThrow())
          .hasMessageContaining("Restore the registry's former schemas under their ids");
    }

    registered = Quotes.SCHEMA;

    try (CachingSchemaRegistry registry = registry(Optional.of(copy()))) {
      quotes.land(task(registry));
    }
    assertThat(quotes.keys()).containsExactlyElementsOf(quotes.produced);
  }

  /** No record from before the wipe is left to land, so nothing is misread. */
  @Test
  void newSchemasAreAcceptedAsTheErrorSays() throws Exception {
    quotes.produce(10);
    try (CachingSchemaRegistry registry = registry(Optional.of(copy()))) {
      quotes.land(task(registry));
    }
    registered = AFTER;
    quotes.produce(10);
    try (CachingSchemaRegistry registry = registry(Optional.of(copy()))) {
      assertThat(quotes.landOrStop(task(registry)).orElseThrow())
          .hasMessageContaining("Or accept the new schemas")
          .hasMessageContaining("stop all clients of the registry, delete " + copy());
    }

    Files.delete(copy());

    try (CachingSchemaRegistry registry = registry(Optional.of(copy()))) {
      quotes.land(task(registry));
    }
    assertThat(quotes.keys()).containsExactlyElementsOf(quotes.produced);
  }

  private static void awaitContradiction(CachingSchemaRegistry registry)
      throws InterruptedException {
    while (registry.contradictions().isEmpty()) {
      TimeUnit.MILLISECONDS.sleep(5);
    }
  }

  private TestTask task(SchemaRegistry registry) {
    return task(registry, 1_000);
  }

  private TestTask task(SchemaRegistry registry, long batchRecords) {
    return new TestTask(
        quotes.topic,
        quotes.storage,
        registry,
        PartitionSpec.NONE,
        Optional.empty(),
        batchRecords,
        100,
        new TestTask.BadRecords(Optional.of(queue), NullValues.FAIL, 10));
  }

  private Path copy() {
    return directory.resolve("schemas");
  }

  private CachingSchemaRegistry registry(Optional<Path> copy) {
    return new CachingSchemaRegistry(
        new Registry(), new CacheSettings(100, 1_000_000, 30_000, 30_000, 100, copy, 1 << 20));
  }

  /** Has one schema under every id. */
  private final class Registry implements SchemaRegistry {
    @Override
    public RegisteredSchema schema(SchemaId id) throws RegistryException {
      if (away) {
        throw new RegistryUnavailableException("the registry is away", null);
      }
      return new RegisteredSchema(id, registered);
    }

    @Override
    public String location() {
      return "memory";
    }

    @Override
    public void close() {}
  }
}
