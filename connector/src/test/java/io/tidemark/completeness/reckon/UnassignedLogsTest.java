package io.tidemark.completeness.reckon;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import io.tidemark.connect.pipeline.OneSchema;
import io.tidemark.connect.pipeline.Quotes;
import io.tidemark.connect.pipeline.TestTask;
import io.tidemark.store.FaultyStorage;
import io.tidemark.store.MonotonicClock;
import io.tidemark.store.StoragePath;
import io.tidemark.store.commit.LogOwner;
import io.tidemark.store.partition.FieldPartitioned;
import io.tidemark.store.publish.Publisher;
import io.tidemark.store.publish.Registrar;
import io.tidemark.store.table.MarkerFiles;
import io.tidemark.store.table.MemoryCatalog;
import io.tidemark.store.table.TableLayout;
import io.tidemark.store.table.TableName;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Committed entries whose worker died before it published them, of a topic-partition that no other
 * task is given.
 */
class UnassignedLogsTest {
  private static final TableName TABLE = new TableName("default", "quotes");
  private static final StoragePath ROOT = new StoragePath("/topics/quotes");

  private final Quotes quotes = new Quotes();
  private final FaultyStorage storage = new FaultyStorage(quotes.storage);
  private final MemoryCatalog catalog = new MemoryCatalog();
  private final FakeEndOffsets kafka = new FakeEndOffsets();
  private final MonotonicClock clock = MonotonicClock.system();

  @BeforeEach
  void workerDiesBetweenCommitAndPublish() throws Exception {
    kafka.cluster("cluster-1");
    FaultyStorage dying = new FaultyStorage(quotes.storage);
    commitOnly(opened(dying), dying);
    assertThat(quotes.keys()).isEmpty();
  }

  /** Commits a batch. The task's store stays {@code dying}: no thread of the task publishes it. */
  private void commitOnly(TestTask task, FaultyStorage dying) throws Exception {
    dying.failBefore(call -> call.startsWith("rename /topics/quotes/key"));
    quotes.produce(10);
    assertThat(task.reaches(60_000, () -> next() == quotes.produced.size())).isTrue();
    task.kill();
  }

  private TestTask opened(FaultyStorage of) {
    TestTask task =
        new TestTask(
            quotes.topic,
            of,
            new OneSchema(Quotes.SCHEMA, Quotes.SCHEMA_ID),
            new FieldPartitioned(List.of("key")),
            Optional.of(registrar()),
            10,
            100);
    task.open(0);
    return task;
  }

  private long next() {
    try {
      return quotes.log().last().map(last -> last.entry().state().next()).orElse(0L);
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  private Registrar registrar() {
    return new Registrar(storage, catalog, table -> Map.of(), clock);
  }

  private UnassignedLogs logs(Predicate<String> read) {
    return logs(read, Optional.of(registrar()));
  }

  private UnassignedLogs logs(Predicate<String> read, Optional<Registrar> registrar) {
    return new UnassignedLogs(
        new UnassignedLogs.Services(
            storage,
            new StoragePath("/logs"),
            new LogOwner("quotes", "quotes"),
            kafka,
            read,
            new Publisher(storage),
            registrar,
            Optional.empty()),
        clock);
  }

  private void requirePublished() throws Exception {
    assertThat(quotes.keys()).containsExactlyInAnyOrderElementsOf(quotes.produced);
  }

  private void requireSettled() throws Exception {
    requirePublished();
    assertThat(catalog.paths(TABLE)).hasSameSizeAs(quotes.produced);
  }

  @Test
  void committedFilesOfADeletedTopicArePublishedAndRegistered() throws Exception {
    logs(topic -> true).look();

    requireSettled();
  }

  @Test
  void committedFilesOfATopicThatWasTakenOutArePublishedAndRegistered() throws Exception {
    kafka.set("quotes", "id", 10);
    logs(topic -> false).look();

    requireSettled();
  }

  @Test
  void committedFilesOfATopicThatCameBackWithFewerTopicPartitionsArePublished() throws Exception {
    kafka.set("quotes", "later");
    logs(topic -> true).look();

    requireSettled();
  }

  /** The configuration names another cluster, which has a topic of the same name. */
  @Test
  void topicOfAnotherClusterIsNoEvidenceOfATask() throws Exception {
    kafka.set("quotes", "id", 10);
    kafka.cluster("other");
    logs(topic -> true).look();

    requireSettled();
  }

  @Test
  void logThatATaskIsGivenIsLeftToIt() throws Exception {
    kafka.set("quotes", "id", 10);
    UnassignedLogs logs = logs(topic -> true);
    logs.look();
    assertThat(quotes.keys()).isEmpty();

    kafka.remove("quotes");
    logs.look();
    requireSettled();
  }

  /** Connect stops the former tasks after it has started the connector with fewer topics. */
  @Test
  void batchThatTheFormerTaskCommitsLaterIsPublishedAndRegistered() throws Exception {
    kafka.set("quotes", "id", 10);
    FaultyStorage dying = new FaultyStorage(quotes.storage);
    TestTask former = opened(dying);
    former.pollUntilLanded(0);
    assertThat(former.reaches(3_000, () -> catalog.paths(TABLE).size() == 10)).isTrue();
    UnassignedLogs logs = logs(topic -> false);
    logs.look();
    commitOnly(former, dying);
    logs.look();

    requireSettled();
  }

  /** There may be thousands of deleted topics. */
  @Test
  void logsThatAreSettledSinceHalfAnHourAreNotListed() throws Exception {
    UnassignedLogs logs = logs(topic -> true);
    for (int looks = 0; looks < 7; looks++) { // one every 5 minutes
      logs.look();
    }
    storage.failBefore(call -> call.startsWith("list /logs/quotes/quotes"));
    logs.look();

    kafka.set("quotes", "later");
    assertThatIOException().isThrownBy(logs::look);
  }

  @Test
  void nothingOfTheLogChanges() throws Exception {
    var before = quotes.storage.list(Quotes.LOG);
    logs(topic -> true).look();

    assertThat(quotes.storage.list(Quotes.LOG)).isEqualTo(before);
  }

  @Test
  void outageIsFollowedByAnotherTry() throws Exception {
    storage.failBefore(call -> call.startsWith("rename /topics/quotes/key"));
    UnassignedLogs logs = logs(topic -> true);
    logs.look();
    assertThat(quotes.keys()).isEmpty();

    storage.heal();
    logs.look();
    requireSettled();
  }

  @Test
  void filesAndTablesThatAnOperatorRemovedDoNotReturn() throws Exception {
    logs(topic -> true).look();
    catalog.drop(TABLE);
    logs(topic -> true).look();
    assertThat(catalog.exists(TABLE)).isFalse();

    quotes.storage.deleteTree(ROOT);
    logs(topic -> true).look();
    assertThat(catalog.exists(TABLE)).isFalse();
    assertThat(quotes.storage.find(ROOT)).isEmpty();
  }

  @Test
  void firstTableIsRegisteredThoughTheCatalogWasAwayUntilTheTopicWasDeleted() throws Exception {
    logs(topic -> true, Optional.empty()).look();
    new MarkerFiles(storage, new TableLayout(ROOT)).forget(TABLE);
    assertThat(catalog.exists(TABLE)).isFalse();
    logs(topic -> true).look();

    requireSettled();
  }

  @Test
  void tableThatAnOperatorRemovedDoesNotReturnWithoutACatalog() throws Exception {
    logs(topic -> true, Optional.empty()).look();
    requirePublished();
    quotes.storage.deleteTree(ROOT);
    logs(topic -> true, Optional.empty()).look();

    assertThat(quotes.storage.find(ROOT)).isEmpty();
  }
}
