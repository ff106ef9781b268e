package io.tidemark.connect.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.completeness.decide.Accounts;
import io.tidemark.connect.health.HealthState;
import io.tidemark.connect.health.Service;
import io.tidemark.connect.intake.LandingException;
import io.tidemark.connect.staging.Routing;
import io.tidemark.registry.RegisteredSchema;
import io.tidemark.registry.RegistryException;
import io.tidemark.registry.RegistryUnavailableException;
import io.tidemark.registry.SchemaChangedException;
import io.tidemark.registry.SchemaId;
import io.tidemark.registry.SchemaRegistry;
import io.tidemark.registry.wire.FramingReader;
import io.tidemark.store.FaultyStorage;
import io.tidemark.store.MemoryStorage;
import io.tidemark.store.MonotonicClock;
import io.tidemark.store.StoragePath;
import io.tidemark.store.StoreRefusedException;
import io.tidemark.store.StoreRefusedException.Reason;
import io.tidemark.store.log.OperatorConsent;
import io.tidemark.store.partition.PartitionSpec;
import io.tidemark.store.publish.Registrar;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A task reports each wait while it waits, and no longer afterwards. */
final class VisibleWaitsTest {
  private static final Schema SCHEMA =
      SchemaBuilder.record("Row").fields().requiredInt("n").endRecord();
  private static final byte[] RECORD = {0, 0, 0, 0, 1, 14};

  private final FakeTopic topic = new FakeTopic("quotes");
  private final MemoryStorage memory = new MemoryStorage();
  private final FaultyStorage store = new FaultyStorage(memory);
  private final AwayCatalog catalog = new AwayCatalog();
  private final AtomicBoolean registryAway = new AtomicBoolean();
  private Optional<Accounts> accounts = Optional.empty();
  private TestTask.Limits limits = TestTask.Limits.WIDE;

  @ParameterizedTest
  @CsvSource({
    "claim,   rename /logs/quotes/quotes/0/0",
    "recover, list /topics/quotes",
    "stage,   create /topics/quotes/.staging/",
    "commit,  rename /logs/quotes/quotes/0/00000000000000000002.json",
    "publish, rename /topics/quotes/quotes+",
  })
  void stepOfTheStoreIsSeen(String step, String call) {
    catalog.away = false;
    AtomicBoolean met = new AtomicBoolean();
    Predicate<String> away =
        each -> {
          boolean hit = each.startsWith(call);
          met.compareAndSet(false, hit);
          return hit;
        };
    store.failBefore(away);
    try (TestTask task = task()) {
      task.open(0);
      topic.produce(0, RECORD);
      waitsFor(task, Service.STORE, "the store did not answer: ");
      assertThat(met).as(step).isTrue();
      store.heal();
      landsAndWorks(task);
    }
  }

  @Test
  void kafkasSilenceIsSeenWhileATopicPartitionIsClaimedAndWhileItCommits() {
    catalog.away = false;
    topic.away(true);
    try (TestTask task = task()) {
      task.open(0);
      waitsFor(task, Service.KAFKA, "Kafka did not tell in 30000 ms");
      topic.away(false);
      landsAndWorks(task);
      topic.away(true);
      topic.produce(0, RECORD);
      waitsFor(task, Service.KAFKA, "Kafka did not tell in 30000 ms");
      topic.away(false);
      landsAndWorks(task);
    }
  }

  @Test
  void kafkasSilenceIsSeenByATaskWithoutRecords() {
    catalog.away = false;
    try (TestTask task = task()) {
      task.open(0);
      landsAndWorks(task);
      topic.away(true);
      waitsFor(task, Service.KAFKA, "Kafka did not tell in 30000 ms");
      topic.away(false);
      landsAndWorks(task);
    }
  }

  @Test
  void recordsAtTheEndThatKafkaDoesNotShowAreSeen() {
    catalog.away = false;
    try (TestTask task = task()) {
      task.open(0);
      topic.produce(0, RECORD);
      landsAndWorks(task);
      topic.refuseTails(true);
      topic.marker(0);
      waitsFor(task, Service.KAFKA, "quotes-0: Not authorized to access topics");
      topic.refuseTails(false);
      landsAndWorks(task);
    }
  }

  @Test
  void registryIsSeen() {
    catalog.away = false;
    registryAway.set(true);
    try (TestTask task = task()) {
      task.open(0);
      topic.produce(0, RECORD);
      waitsFor(task, Service.SCHEMA_REGISTRY, "nobody answers");
      registryAway.set(false);
      landsAndWorks(task);
    }
  }

  @Test
  void recordThatWaitsForAMinuteIsNamedWithHowToSkipItOnceTheOthersHaveLanded() throws Exception {
    catalog.away = false;
    List<List<String>> reported = new CopyOnWriteArrayList<>();
    accounts = Optional.of(account -> reported.add(account.waits()));
    try (TestTask task = task()) {
      task.open(0);
      topic.produce(0, RECORD);
      landsAndWorks(task);
      registryAway.set(true);
      topic.produce(0, RECORD);
      topic.produce(0, new byte[] {0, 0, 0, 0, 2, 14});
      waitsFor(task, Service.SCHEMA_REGISTRY, "nobody answers");
      assertThat(task.pipeline.load().pausedBecause()).doesNotContain("quotes-0@");

      task.wakeAfter(Duration.ofMinutes(1).toMillis());

      String waits =
          "quotes-0@2: the record has waited for its schema (schema id 2) for more than a minute. It can land once the registry answers, so skip it only if it is not needed. To skip it, stop the connector, alter its offset of quotes-0 to 3 (PATCH /connectors/quotes/offsets), and resume it; all records before it have landed.";
      task.pollUntil(() -> task.pipeline.load().pausedBecause().endsWith("; " + waits));
      assertThat(LandedRows.batches(memory, new StoragePath("/logs/quotes/quotes/0")))
          .extracting(batch -> batch.state().next())
          .endsWith(2L);
      task.pollUntil(() -> reported.get(reported.size() - 1).equals(List.of(waits)));

      registryAway.set(false);
      assertThatThrownBy(() -> task.pollUntil(() -> false))
          .isInstanceOf(LandingException.class)
          .hasMessageStartingWith("quotes-0@2: schema id 2 is unknown");
    }
  }

  @Test
  void metastoreIsSeenWhileRecordsLand() {
    try (TestTask task = task()) {
      task.open(0);
      topic.produce(0, RECORD);
      task.pollUntilLanded(0);
      waitsFor(task, Service.METASTORE, "away");
      catalog.away = false;
      landsAndWorks(task);
    }
  }

  @Test
  void ledgerThatCannotBeWrittenIsSeen() {
    catalog.away = false;
    AtomicBoolean away = new AtomicBoolean(true);
    accounts =
        Optional.of(
            account -> {
              if (away.get()) {
                throw new IOException("no account was taken");
              }
            });
    try (TestTask task = task()) {
      task.open(0);
      topic.produce(0, RECORD);
      waitsFor(task, Service.STORE, "no account was taken");
      away.set(false);
      landsAndWorks(task);
    }
  }

  @Test
  void stagingThatIsRefusedStaysSeenUntilABatchIsCommitted() {
    catalog.away = false;
    refuseStaging();
    try (TestTask task = task()) {
      task.open(0);
      topic.produce(0, RECORD);
      task.pollUntil(() -> task.pipeline.load().health() == HealthState.REFUSED);
      assertThat(task.pipeline.load().pausedBecause())
          .startsWith("the store (store.url hdfs://nn:8020) since 2")
          .endsWith(": no quota is left. Raise it.");
      store.heal();
      landsAndWorks(task);
    }
  }

  @Test
  void taskThatIsRefusedBeyondItsDeadlineFailsWithTheCure() {
    limits = TestTask.Limits.WIDE.with(Duration.ofMinutes(1));
    refuseStaging();
    try (TestTask task = task()) {
      task.open(0);
      topic.produce(0, RECORD);
      task.pollUntil(() -> task.pipeline.load().health() == HealthState.REFUSED);
      task.wakeAfter(Duration.ofMinutes(1).toMillis());
      assertThatThrownBy(() -> task.pollUntil(() -> false))
          .isInstanceOf(LandingException.class)
          .hasMessageStartingWith(
              "quotes-0: refused for longer than refusal.deadline.ms=60000 by the store (store.url"
                  + " hdfs://nn:8020) since ")
          .hasMessageEndingWith("no quota is left. Raise it. Then restart the task.");
    }
  }

  @Test
  void taskWhoseServiceIsAwayBeyondThatDeadlineWaits() {
    limits = TestTask.Limits.WIDE.with(Duration.ofMillis(1));
    store.failBefore(call -> true);
    try (TestTask task = task()) {
      task.open(0);
      waitsFor(task, Service.STORE, "the store did not answer: ");
      task.wakeAfter(Duration.ofMinutes(1).toMillis());
      assertThat(task.reaches(500, () -> false)).isFalse();
      assertThat(task.pipeline.load().heldForMs()).isGreaterThan(60_000);
      assertThat(task.pipeline.load().heldMs()).isGreaterThan(60_000);
      store.heal();
      catalog.away = false;
      landsAndWorks(task);
      assertThat(task.pipeline.load().heldForMs()).isZero();
      assertThat(task.pipeline.load().heldMs()).isGreaterThan(60_000);
    }
  }

  private static void waitsFor(TestTask task, Service service, String cause) {
    task.pollUntil(() -> task.pipeline.load().pausedBecause().contains(cause));
    PipelineLoad load = task.pipeline.load();
    assertThat(load.health()).isEqualTo(HealthState.WAITING);
    assertThat(load.pausedBecause())
        .contains(
            "%s (%s %s) since 2"
                .formatted(
                    service.inWords(), service.addressKey(), TestTask.ADDRESSES.get(service)))
        .contains("Check that the service runs and that " + service.addressKey() + " is correct");
  }

  private static void landsAndWorks(TestTask task) {
    task.pollUntilLanded(0);
    task.pollUntil(() -> task.pipeline.load().health() == HealthState.WORKING);
    assertThat(task.pipeline.load().pausedBecause()).isEmpty();
  }

  /** The store has space for logs, but not for tables. */
  private void refuseStaging() {
    store.failWith(
        call -> new StoreRefusedException(Reason.QUOTA, "no quota is left", "Raise it.", null));
    store.failBefore(call -> call.startsWith("create /topics/quotes/.staging"));
  }

  private TestTask task() {
    return new TestTask(
        topic,
        store,
        new SometimesAway(new OneSchema(SCHEMA, 1), registryAway),
        FramingReader::new,
        name -> Routing.toOne(TestTask.table(name, PartitionSpec.NONE)),
        Optional.of(new Registrar(memory, catalog, table -> Map.of(), MonotonicClock.system())),
        accounts,
        1_000,
        3,
        TestTask.BadRecords.STOP,
        limits,
        Clock.systemUTC(),
        OperatorConsent.NONE);
  }

  /** A registry that does not answer while it is unavailable. */
  private record SometimesAway(SchemaRegistry registry, AtomicBoolean away)
      implements SchemaRegistry {

    @Override
    public RegisteredSchema schema(SchemaId id) throws RegistryException, InterruptedException {
      if (away.get()) {
        throw new RegistryUnavailableException("nobody answers", null);
      }
      return registry.schema(id);
    }

    @Override
    public Map<SchemaId, SchemaChangedException> contradictions() {
      return registry.contradictions();
    }

    @Override
    public String location() {
      return registry.location();
    }

    @Override
    public void close() {
      registry.close();
    }
  }
}
