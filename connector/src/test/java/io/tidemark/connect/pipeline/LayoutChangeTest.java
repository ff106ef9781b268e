package io.tidemark.connect.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.connect.intake.LandingException;
import io.tidemark.store.StoragePath;
import io.tidemark.store.StoredFile;
import io.tidemark.store.TopicPartition;
import io.tidemark.store.commit.CommitLog;
import io.tidemark.store.log.CorruptLogException;
import io.tidemark.store.log.NumberedEntry;
import io.tidemark.store.partition.FieldPartitioned;
import io.tidemark.store.partition.PartitionSpec;
import io.tidemark.store.partition.PathFormat;
import io.tidemark.store.partition.TimePartitioned;
import io.tidemark.store.partition.TimestampField;
import io.tidemark.store.table.LayoutFile;
import io.tidemark.store.table.LogTables;
import io.tidemark.store.table.RecordedLayout;
import io.tidemark.store.table.TableLayout;
import io.tidemark.store.table.TableName;
import java.io.IOException;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * Changes of settings that decide the layout of a table, or whether it is in Hive, after the table
 * was created.
 */
final class LayoutChangeTest {
  private static final PartitionSpec BY_KEY = FieldPartitioned.parse("key");

  private static final TableLayout TABLE = new TableLayout(Quotes.ROOT);

  private final Quotes quotes = new Quotes();
  private final FakeCatalog catalog = new FakeCatalog();

  @Test
  void changedPartitioningOfAStandingTableIsRefusedBeforeTheCommit() throws Exception {
    quotes.produce("x");
    land(PartitionSpec.NONE);
    quotes.produce("y");

    Optional<LandingException> refusal = quotes.landOrStop(registering(BY_KEY));

    assertThat(quotes.next()).isEqualTo(1);
    assertThat(quotes.keys()).containsExactly("x");
    assertThat(refusal).isPresent();
  }

  @Test
  void partitionedTableThatWouldLoseItsColumnsKeepsItsPartitionsAndTakesNoBatch() throws Exception {
    quotes.produce("x");
    land(BY_KEY);
    quotes.produce("y");

    Optional<LandingException> refusal = quotes.landOrStop(registering(PartitionSpec.NONE));

    assertThat(quotes.next()).isEqualTo(1);
    assertThat(quotes.keys()).containsExactly("x");
    assertThat(catalog.partitions()).containsExactly("key=x");
    assertThat(refusal).isPresent();
  }

  @Test
  void partitioningThatIsPutBackLandsWhatWasRefused() throws Exception {
    quotes.produce("x");
    land(PartitionSpec.NONE);
    quotes.produce("y");
    quotes.landOrStop(registering(BY_KEY));

    land(PartitionSpec.NONE);

    assertThat(quotes.keys()).containsExactly("x", "y");
    assertThat(catalog.partitions()).isEmpty();
  }

  @Test
  void hivePartitionsThatLandedBeforeHiveWasSwitchedOnAreRegistered() throws Exception {
    for (String key : List.of("u", "v", "w", "x")) {
      quotes.produce(key);
      quotes.land(quotes.task(BY_KEY, Optional.empty()));
    }
    for (String key : List.of("y", "z")) {
      quotes.produce(key);
      land(BY_KEY);
    }
    assertThat(catalog.partitions())
        .containsExactlyInAnyOrder("key=u", "key=v", "key=w", "key=x", "key=y", "key=z");
  }

  @Test
  void tableWithFilesAndWithoutALayoutIsRefusedUntilTheLayoutIsBackOrTheFilesAreAway()
      throws Exception {
    quotes.produce("x");
    land(BY_KEY);
    forgetLayout();
    quotes.produce("y");

    LandingException refusal = quotes.landOrStop(registering(BY_KEY)).orElseThrow();
    assertThat(refusal)
        .hasMessageContaining("default.quotes in /topics/quotes has files")
        .hasMessageContaining("/topics/quotes/.tidemark/layout.json is missing")
        .hasMessageContaining("move the files away, or set another topics.dir");
    assertThat(quotes.next()).isEqualTo(1);

    for (StoredFile file : quotes.storage.list(Quotes.ROOT.child("key=x"))) {
      quotes.storage.makeDirectories(new StoragePath("/away"));
      quotes.storage.rename(file.path(), new StoragePath("/away").child(file.path().name()));
    }
    land(BY_KEY);
    assertThat(new LayoutFile(quotes.storage, TABLE).read()).contains(RecordedLayout.of(BY_KEY));
    assertThat(quotes.keys()).containsExactly("y");
  }

  @Test
  void anotherTimeZoneIsRefusedWithBothZonesAndThePlaceOfTheLayout() throws Exception {
    quotes.produce("x");
    land(hourly("UTC"));
    quotes.produce("y");

    assertThat(quotes.landOrStop(registering(hourly("Asia/Tokyo"))).orElseThrow())
        .hasMessageContaining("timezone=UTC")
        .hasMessageContaining("timezone=Asia/Tokyo")
        .hasMessageContaining("/topics/quotes/.tidemark/layout.json");
    assertThat(quotes.next()).isEqualTo(1);
  }

  @Test
  void layoutOfATableWithoutFilesMayStillBeCorrected() throws Exception {
    try (TestTask task = registering(BY_KEY)) {
      task.open(0);
      task.pollUntil(() -> !task.isPaused(0));
    }
    quotes.produce("x");
    land(PartitionSpec.NONE);

    assertThat(quotes.keys()).containsExactly("x");
    assertThat(catalog.partitions()).isEmpty();
  }

  @Test
  void logIsFoldedWhileThereIsNoCatalog() throws Exception {
    for (int batch = 0; batch < 8; batch++) {
      quotes.produce("k" + batch);
      try (TestTask task = folding()) {
        task.open(0);
        task.pollUntilLanded(0);
      }
    }
    try (TestTask task = folding()) {
      task.open(0);
      task.pollUntil(() -> checkpoint() > 0);
    }
    quotes.produce("last");
    land(BY_KEY);

    assertThat(catalog.partitions()).hasSize(9).contains("key=k0", "key=k7", "key=last");
    assertThat(quotes.storage.list(TABLE.metadataDirectory().child("catalog")))
        .extracting(file -> file.path().name())
        .containsExactly("default.quotes.json");
  }

  @Test
  void tableThatWasDroppedFromTheCatalogComesBackWithAllItsHivePartitions() throws Exception {
    for (String key : List.of("u", "v", "w")) {
      quotes.produce(key);
      land(BY_KEY);
    }
    catalog.drop(new TableName("default", "quotes"));
    quotes.produce("x");
    land(BY_KEY);

    assertThat(catalog.partitions()).containsExactlyInAnyOrder("key=u", "key=v", "key=w", "key=x");
  }

  @Test
  void topicWhoseTableHasAnotherTopicsNameIsRefusedAlone() throws Exception {
    LogTables tables = new LogTables(quotes.storage, new StoragePath("/logs/quotes"));
    TableName taken = new TableName("default", "quotes");
    tables.add(taken, new TableLayout(new StoragePath("/topics/Quotes")), "Quotes");
    quotes.produce("x");

    try (TestTask task = registering(BY_KEY)) {
      task.open(0);
      task.pipeline.open(List.of(new TopicPartition("news", 0)));
      CommitLog news = new CommitLog(quotes.storage, new StoragePath("/logs/quotes/news/0"));
      task.pollUntil(() -> entries(news) > 0);
      assertThat(task.reaches(500, () -> task.landed(0))).isFalse();
    }
    assertThat(quotes.log().last()).isEmpty();

    // Without a catalog the same names are allowed.
    quotes.land(quotes.task(BY_KEY, Optional.empty()));
    assertThat(quotes.keys()).containsExactly("x");
  }

  private static PartitionSpec hourly(String zone) {
    return new TimePartitioned(
        PathFormat.parse("'hour'=HH", Locale.ROOT),
        ZoneId.of(zone),
        Duration.ofHours(1),
        Optional.empty(),
        TimestampField.Unit.MILLIS);
  }

  private void forgetLayout() throws IOException {
    assertThat(quotes.storage.delete(TABLE.metadataDirectory().child("layout.json"))).isTrue();
  }

  private TestTask folding() {
    return new TestTask(
        quotes.topic,
        quotes.storage,
        new OneSchema(Quotes.SCHEMA, Quotes.SCHEMA_ID),
        BY_KEY,
        Optional.empty(),
        1_000,
        1);
  }

  private long checkpoint() {
    try {
      return quotes.log().checkpoint();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static long entries(CommitLog log) {
    try {
      return log.last().map(NumberedEntry::number).orElse(0L);
    } catch (IOException | CorruptLogException e) {
      throw new AssertionError(e);
    }
  }

  /** Lands and registers all records of the topic. */
  private void land(PartitionSpec partitioning) {
    try (TestTask task = registering(partitioning)) {
      task.open(0);
      task.pollUntilLanded(0);
      String last = "key=" + quotes.produced.get(quotes.produced.size() - 1);
      task.pollUntil(
          () ->
              partitioning == BY_KEY
                  ? catalog.partitions().contains(last)
                  : catalog.exists(new TableName("default", "quotes")));
    }
  }

  private TestTask registering(PartitionSpec partitioning) {
    return quotes.task(partitioning, Optional.of(catalog.registrar(quotes.storage)));
  }
}
