package io.tidemark.connect.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.completeness.ledger.Account;
import io.tidemark.completeness.ledger.LogPointer;
import io.tidemark.connect.intake.Accountant;
import io.tidemark.connect.staging.Routing;
import io.tidemark.registry.wire.FramingReader;
import io.tidemark.store.FaultyStorage;
import io.tidemark.store.MonotonicClock;
import io.tidemark.store.log.CorruptLogException;
import io.tidemark.store.log.OperatorConsent;
import io.tidemark.store.partition.FieldPartitioned;
import io.tidemark.store.partition.HivePartition;
import io.tidemark.store.partition.PartitionSpec;
import io.tidemark.store.publish.Registrar;
import io.tidemark.store.table.CatalogUnavailableException;
import io.tidemark.store.table.EmptyCatalog;
import io.tidemark.store.table.TableDefinition;
import io.tidemark.store.table.TableName;
import io.tidemark.store.table.UnseenPartition;
import java.io.IOException;
import java.time.Clock;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/**
 * A batch is accounted for after readers can find its rows, and not earlier. Completeness depends
 * on it.
 */
final class SettledAccountsTest {
  /** Twice the time for which an account waits for others. */
  private static final long WATCHED_MS = 2 * Accountant.COALESCE_MS;

  private final Quotes quotes = new Quotes();
  private final FaultyStorage storage = new FaultyStorage(quotes.storage);
  private final List<Account> accounts = new CopyOnWriteArrayList<>();

  @Test
  void batchWhoseFilesAreNotInTheTableIsNotAccounted() throws Exception {
    AtomicBoolean away = new AtomicBoolean(true);
    storage.failBefore(
        call -> away.get() && call.startsWith("rename " + Quotes.ROOT) && call.endsWith(".avro"));
    quotes.produce(4);
    try (TestTask task = task(Optional.empty())) {
      task.open(0);
      task.pollUntil(this::committed);
      task.reaches(WATCHED_MS, () -> false);
      assertThat(quotes.keys()).isEmpty();
      assertThat(accountedBatches()).isEmpty();

      away.set(false);
      task.pollUntil(() -> !accountedBatches().isEmpty());
    }
    assertThat(quotes.keys()).hasSize(4);
  }

  @Test
  void batchThatTheCatalogDoesNotShowIsNotAccounted() throws Exception {
    AwayCatalog catalog = new AwayCatalog();
    Registrar registrar =
        new Registrar(storage, catalog, table -> Map.of(), MonotonicClock.system());
    quotes.produce(4);
    try (TestTask task = task(Optional.of(registrar))) {
      task.open(0);
      task.pollUntil(this::committed);
      task.reaches(WATCHED_MS, () -> false);
      assertThat(accountedBatches()).isEmpty();

      catalog.away = false;
      task.pollUntil(() -> !accountedBatches().isEmpty());
    }
  }

  /** The log does not say which Hive partitions readers do not see. */
  @Test
  void newOwnerAccountsForEveryUnseenHivePartitionOfEarlierEntries() throws Exception {
    BlindCatalog catalog = new BlindCatalog();
    Optional<Registrar> registrar =
        Optional.of(new Registrar(storage, catalog, table -> Map.of(), MonotonicClock.system()));
    landThreeBatches(registrar);
    long last = quotes.log().last().orElseThrow().number();
    accounts.clear();
    catalog.away = false;
    try (TestTask second = task(registrar, new FieldPartitioned(List.of("key")))) {
      second.open(0);
      second.pollUntil(() -> !accountedAbove(last).isEmpty());
      assertThat(accountedAbove(last)).allMatch(log -> log.unseen().size() == 12);
    }
  }

  /** Records have landed without a catalog; then Hive is configured. */
  @Test
  void ownerThatRegistersAWholeTableAccountsForItsUnseenHivePartitions() throws Exception {
    landThreeBatches(Optional.empty());
    long last = quotes.log().last().orElseThrow().number();
    accounts.clear();
    BlindCatalog catalog = new BlindCatalog();
    catalog.away = false;
    Registrar registrar =
        new Registrar(storage, catalog, table -> Map.of(), MonotonicClock.system());
    try (TestTask second = task(Optional.of(registrar), new FieldPartitioned(List.of("key")))) {
      second.open(0);
      second.pollUntil(() -> !accountedAbove(last).isEmpty());
      assertThat(accountedAbove(last)).allMatch(log -> log.unseen().size() == 12);
    }
  }

  /** Lands twelve Hive partitions. */
  private void landThreeBatches(Optional<Registrar> registrar) throws IOException {
    TestTask task = task(registrar, new FieldPartitioned(List.of("key")));
    task.open(0);
    for (long each = 1; each <= 3; each++) {
      long next = 4 * each;
      quotes.produce(4);
      task.pollUntil(() -> committed(next));
    }
    task.kill();
  }

  /** Has the table; no Hive partition of it is where the files are. */
  private static final class BlindCatalog extends EmptyCatalog {
    volatile boolean away = true;

    private void requireHere() throws CatalogUnavailableException {
      if (away) {
        throw new CatalogUnavailableException("away", new IllegalStateException("away"));
      }
    }

    @Override
    public boolean exists(TableName table) throws CatalogUnavailableException {
      requireHere();
      return true;
    }

    @Override
    public void registerTable(TableDefinition definition) throws CatalogUnavailableException {
      requireHere();
    }

    @Override
    public List<UnseenPartition> addPartitions(
        TableDefinition table, Collection<HivePartition> partitions)
        throws CatalogUnavailableException {
      requireHere();
      return partitions.stream()
          .map(
              each ->
                  new UnseenPartition(
                      table.name(),
                      each,
                      table.location() + "/" + each.path(),
                      Optional.empty(),
                      Optional.empty()))
          .toList();
    }
  }

  private boolean committed() {
    return committed(4);
  }

  private boolean committed(long next) {
    try {
      return quotes.log().last().filter(last -> last.entry().state().next() == next).isPresent();
    } catch (IOException | CorruptLogException e) {
      throw new AssertionError(e);
    }
  }

  /** Pointers above the claim's entry, which is the first. */
  private List<LogPointer> accountedBatches() {
    return accountedAbove(1);
  }

  private List<LogPointer> accountedAbove(long number) {
    return accounts.stream()
        .flatMap(account -> account.logs().stream())
        .filter(log -> log.number() > number)
        .toList();
  }

  private TestTask task(Optional<Registrar> registrar) {
    return task(registrar, PartitionSpec.NONE);
  }

  private TestTask task(Optional<Registrar> registrar, PartitionSpec partitioning) {
    return new TestTask(
        quotes.topic,
        storage,
        new OneSchema(Quotes.SCHEMA, Quotes.SCHEMA_ID),
        FramingReader::new,
        topic -> Routing.toOne(TestTask.table("quotes", partitioning)),
        registrar,
        Optional.of(accounts::add),
        4,
        100,
        TestTask.BadRecords.STOP,
        TestTask.Limits.WIDE,
        Clock.systemUTC(),
        OperatorConsent.NONE);
  }
}
