package io.tidemark.connect.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.connect.intake.LandingException;
import io.tidemark.connect.staging.Routing;
import io.tidemark.registry.wire.FramingReader;
import io.tidemark.store.FaultyStorage;
import io.tidemark.store.MonotonicClock;
import io.tidemark.store.Storage;
import io.tidemark.store.StoragePath;
import io.tidemark.store.StoredFile;
import io.tidemark.store.log.OperatorConsent;
import io.tidemark.store.partition.PartitionSpec;
import io.tidemark.store.publish.Registrar;
import io.tidemark.store.table.Table;
import io.tidemark.store.table.TableLayout;
import io.tidemark.store.table.TableName;
import io.tidemark.store.table.TableOptions;
import java.io.IOException;
import java.time.Clock;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A change of topics.dir, while Hive has the table in the former directory. */
final class MovedTableTest {
  private static final StoragePath HERE = Quotes.ROOT;
  private static final StoragePath ELSEWHERE = new StoragePath("/elsewhere/quotes");
  private static final TableName NAME = new TableName("default", "quotes");
  private static final StoragePath MARKER = HERE.child(".tidemark/catalog/default.quotes.json");

  private final Quotes quotes = new Quotes();
  private final FakeCatalog catalog = new FakeCatalog();

  @Test
  void tableThatHiveKnowsInAnotherPlaceIsRefusedBeforeTheCommit() throws Exception {
    quotes.produce("x");
    landRegistered(HERE);
    quotes.produce("y");

    assertThat(quotes.landOrStop(task(NAME, ELSEWHERE, true)).orElseThrow())
        .hasMessageContaining(
            "default.quotes is registered in Hive with the files below /topics/quotes")
        .hasMessageContaining("would be written to /elsewhere/quotes")
        .hasMessageContaining(
            "Put the former topics.dir or hive.table.location back, or set another hive.table.name")
        .hasMessageContaining(MARKER.value());
    assertThat(quotes.next()).isEqualTo(1);
    assertThat(LandedRows.keys(quotes.storage, ELSEWHERE)).isEmpty();

    landRegistered(HERE);
    assertThat(quotes.keys()).containsExactly("x", "y");
  }

  @Test
  void tableIsMovedByAnOperatorWhoHasDroppedItInHiveAndMayNotGoBackUnseen() throws Exception {
    quotes.produce("x");
    landRegistered(HERE);
    quotes.produce("y");
    catalog.drop(NAME);
    assertThat(quotes.storage.delete(MARKER)).isTrue();

    landUnregistered(ELSEWHERE, "z1", "z2");
    landRegistered(ELSEWHERE);
    quotes.produce("z3");

    assertThat(LandedRows.keys(quotes.storage, ELSEWHERE)).containsExactly("y", "z1", "z2");
    assertThat(quotes.landOrStop(task(NAME, HERE, true)).orElseThrow())
        .hasMessageContaining("with the files below /elsewhere/quotes")
        .hasMessageContaining("restart the connector with hive.integration=false until");
    assertThat(quotes.next()).isEqualTo(4);
  }

  @Test
  void anotherNameInHiveMayHaveAnotherPlace() throws Exception {
    quotes.produce("x");
    landRegistered(HERE);
    quotes.produce("y");
    TableName other = new TableName("default", "quotes_2");

    try (TestTask task = task(other, ELSEWHERE, true)) {
      task.open(0);
      task.pollUntilLanded(0);
      task.pollUntil(() -> catalog.exists(other));
    }

    assertThat(LandedRows.keys(quotes.storage, ELSEWHERE)).containsExactly("y");
  }

  @Test
  void withoutACatalogAnyPlaceWillDo() throws Exception {
    quotes.produce("x");
    quotes.land(task(NAME, HERE, false));
    landUnregistered(ELSEWHERE, "y1", "y2");
    landRegistered(ELSEWHERE);
    quotes.produce("z");
    quotes.land(task(NAME, HERE, false));

    assertThat(quotes.keys()).containsExactlyInAnyOrder("x", "z");
  }

  /** The move is undone: the configuration and the log are as before. */
  @Test
  void olderLogIsDetectedByATableThatWasMovedAwayAndBack() throws Exception {
    quotes.produce("x");
    quotes.land(task(NAME, HERE, false));
    Set<StoragePath> copy = filesBelow(TestTask.LOGS);
    quotes.produce("y");
    quotes.land(task(NAME, HERE, false));
    quotes.produce("z");
    quotes.land(task(NAME, ELSEWHERE, false));
    for (StoragePath file : filesBelow(TestTask.LOGS)) {
      assertThat(copy.contains(file) || quotes.storage.delete(file)).isTrue();
    }

    assertThat(quotes.landOrStop(task(NAME, HERE, false)).orElseThrow())
        .hasMessageContaining("/topics/quotes/.staging shows that it had entry 5")
        // Others do not land again: moved away, their rows would be lost.
        .hasMessageContaining("whose records Kafka still has");
    assertThat(quotes.keys()).containsExactlyInAnyOrder("x", "y");
  }

  private Set<StoragePath> filesBelow(StoragePath directory) throws IOException {
    Set<StoragePath> files = new HashSet<>();
    for (StoredFile file : quotes.storage.list(directory)) {
      files.addAll(file.directory() ? filesBelow(file.path()) : Set.of(file.path()));
    }
    return files;
  }

  @Test
  void placeInWhichNothingHasLandedMayStillBeCorrected() throws Exception {
    try (TestTask task = task(NAME, HERE, true)) {
      task.open(0);
      task.reaches(500, () -> false);
    }
    quotes.produce("x");

    landRegistered(ELSEWHERE);
  }

  @Test
  void formerPlaceThatIsLockedStopsNoClaim() throws Exception {
    quotes.produce("x");
    landRegistered(HERE);
    try (TestTask task = task(NAME, ELSEWHERE, false)) {
      task.open(0);
      task.pollUntil(() -> !task.isPaused(0)); // This shows that all is published.
    }
    quotes.produce("y");
    FaultyStorage locked = new FaultyStorage(quotes.storage);
    locked.failBefore(call -> call.contains(" " + HERE));

    quotes.land(task(locked, NAME, ELSEWHERE, true));

    assertThat(LandedRows.keys(quotes.storage, ELSEWHERE)).containsExactly("y");
  }

  /**
   * The Metastore was unavailable when the table was moved. Hive has one location for a table, so
   * an operator must decide which files it is to have.
   */
  @Test
  void tableThatIsMovedBeforeItsFilesAreRegisteredIsRefusedUntilAnOperatorLeavesThemOut()
      throws Exception {
    quotes.produce("x");
    quotes.land(task(NAME, HERE, new AwayCatalog()));
    quotes.produce("y");
    quotes.land(task(NAME, ELSEWHERE, new AwayCatalog()));

    try (TestTask task = task(NAME, ELSEWHERE, true)) {
      task.open(0);
      assertThatThrownBy(() -> task.pollUntil(() -> false))
          .isInstanceOf(LandingException.class)
          .hasMessageContaining(
              "default.quotes has files below memory:/elsewhere/quotes and below memory:/topics/quotes")
          .hasMessageContaining("hive.integration=false");
    }

    landUnregistered(ELSEWHERE, "z1", "z2");
    landRegistered(ELSEWHERE);
    assertThat(LandedRows.keys(quotes.storage, ELSEWHERE)).containsExactly("y", "z1", "z2");
  }

  /** Lands records in a batch each, without a catalog. */
  private void landUnregistered(StoragePath root, String... keys) throws IOException {
    try (TestTask task = task(NAME, root, false)) {
      task.open(0);
      for (String key : keys) {
        quotes.produce(key);
        task.pollUntilLanded(0);
        task.reaches(500, () -> false);
      }
    }
  }

  private boolean stands(StoragePath path) {
    return quotes.storage.find(path).isPresent();
  }

  /** Lands all records of the topic, and waits until the whole table is registered. */
  private void landRegistered(StoragePath root) {
    try (TestTask task = task(NAME, root, true)) {
      task.open(0);
      task.pollUntilLanded(0);
      task.pollUntil(
          () ->
              catalog
                      .table(NAME)
                      .filter(each -> each.location().equals("memory:" + root))
                      .isPresent()
                  && task.pipeline.load().filesToRegister() == 0
                  && stands(root.child(".tidemark/catalog/default.quotes.json")));
    }
  }

  private TestTask task(TableName name, StoragePath root, boolean registering) {
    return task(quotes.storage, name, root, registering);
  }

  private TestTask task(TableName name, StoragePath root, AwayCatalog away) {
    return task(
        quotes.storage,
        name,
        root,
        Optional.of(
            new Registrar(quotes.storage, away, table -> Map.of(), MonotonicClock.system())));
  }

  private TestTask task(Storage storage, TableName name, StoragePath root, boolean registering) {
    return task(
        storage,
        name,
        root,
        registering ? Optional.of(catalog.registrar(storage)) : Optional.empty());
  }

  private TestTask task(
      Storage storage, TableName name, StoragePath root, Optional<Registrar> registrar) {
    return new TestTask(
        quotes.topic,
        storage,
        new OneSchema(Quotes.SCHEMA, Quotes.SCHEMA_ID),
        FramingReader::new,
        topic ->
            Routing.toOne(
                new Table(name, new TableLayout(root), PartitionSpec.NONE, TableOptions.DEFAULT)),
        registrar,
        1_000,
        100,
        TestTask.BadRecords.STOP,
        TestTask.Limits.WIDE,
        Clock.systemUTC(),
        OperatorConsent.NONE);
  }
}
