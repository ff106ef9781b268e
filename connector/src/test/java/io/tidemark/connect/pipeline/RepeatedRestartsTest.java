package io.tidemark.connect.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.connect.intake.LandingException;
import io.tidemark.store.StoragePath;
import io.tidemark.store.batch.NullValues;
import io.tidemark.store.commit.CommitEntry;
import io.tidemark.store.partition.HivePartition;
import io.tidemark.store.table.CatalogConflictException;
import io.tidemark.store.table.EmptyCatalog;
import io.tidemark.store.table.TableCatalog;
import io.tidemark.store.table.TableDefinition;
import io.tidemark.store.table.TableName;
import io.tidemark.store.table.UnseenPartition;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.apache.avro.file.DataFileWriter;
import org.apache.avro.generic.GenericDatumWriter;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A task that fails for a permanent reason, and is restarted by an operator's automation. */
@Tag("faults")
final class RepeatedRestartsTest {
  private static final int RESTARTS = Integer.getInteger("io.tidemark.faults.restarts", 20);

  /**
   * Folding leaves up to twice this number of entries. With some more, a task first checks and then
   * claims.
   */
  private static final int MOST_ENTRIES = 3 * RottenStore.RETAINED + 1;

  private static final TestTask.BadRecords STOP = TestTask.BadRecords.STOP;

  @Test
  void failedTaskRestartedAgainAndAgainForAForeignFileLandsNothingTwiceAndFillsNoLog()
      throws Exception {
    Quotes quotes = RottenStore.unpublished().restored();
    CommitEntry last = quotes.log().last().orElseThrow().entry();
    StoragePath place = ((CommitEntry.Batch) last).files().get(0).path();
    quotes.storage.makeDirectories(place.parent());
    try (DataFileWriter<Object> foreign = new DataFileWriter<>(new GenericDatumWriter<>())) {
      foreign.create(Quotes.SCHEMA, quotes.storage.create(place));
    }

    restartAgainAndAgain(quotes, new FakeCatalog());

    assertThat(quotes.storage.delete(place)).isTrue();
    landsAllOnce(quotes, new FakeCatalog(), STOP);
  }

  @Test
  void failedTaskRestartedAgainAndAgainForATableOfOthersInHiveLandsNothingTwiceAndFillsNoLog()
      throws Exception {
    Quotes quotes = RottenStore.unpublished().restored();

    restartAgainAndAgain(quotes, new TakenCatalog());

    landsAllOnce(quotes, new FakeCatalog(), STOP);
  }

  @Test
  void failedTaskRestartedAgainAndAgainForARecordThatCannotLandLandsNothingTwiceAndFillsNoLog()
      throws Exception {
    Quotes quotes = RottenStore.unpublished().restored();
    quotes.topic.produce(0, new byte[] {0, 0, 0, 0, 1, 100});

    restartAgainAndAgain(quotes, new FakeCatalog());

    FakeDeadLetterQueue deadLetters = new FakeDeadLetterQueue();
    landsAllOnce(
        quotes,
        new FakeCatalog(),
        new TestTask.BadRecords(Optional.of(deadLetters), NullValues.FAIL, 10));
    assertThat(deadLetters.taken).hasSize(1);
  }

  /** The task fails before its registrations end, after which it would fold the log. */
  @Test
  void failedTaskRestartedAgainAndAgainBesideASlowCatalogFillsNoLog() throws Exception {
    Quotes quotes = RottenStore.unpublished().restored();
    quotes.topic.produce(0, new byte[] {0, 0, 0, 0, 1, 100});

    restartAgainAndAgain(quotes, new SlowCatalog());
  }

  @Test
  void failedTaskRestartedAgainAndAgainForATruncationFillsNoLog() throws Exception {
    Quotes quotes = RottenStore.unpublished().restored();
    quotes.topic.truncate(0, 20);
    RottenStore.produce(quotes, 40);

    restartAgainAndAgain(quotes, new FakeCatalog());

    assertThat(quotes.keys()).doesNotHaveDuplicates();
  }

  @Test
  void failedTaskRestartedAgainAndAgainForARottenEntryFillsNoLog() throws Exception {
    RottenStore store = RottenStore.unpublished();
    Quotes quotes = store.restored();
    List<String> entries =
        store.paths().stream().filter(path -> path.startsWith(Quotes.LOG + "/")).toList();
    String rotten = entries.get(entries.size() - 1);
    store.damage(quotes, rotten, new RottenStore.Damage.Truncated(100));

    restartAgainAndAgain(quotes, new FakeCatalog());

    store.restore(quotes, rotten);
    landsAllOnce(quotes, new FakeCatalog(), STOP);
  }

  /** Before each restart more records are produced, and after each restart the task fails. */
  private static void restartAgainAndAgain(Quotes quotes, TableCatalog catalog) throws Exception {
    int files = 0;
    for (int restart = 1; restart <= RESTARTS; restart++) {
      try (TestTask task = RottenStore.task(quotes, catalog, STOP)) {
        task.open(0);
        assertThatThrownBy(() -> task.pollUntil(() -> false))
            .as("why the task stopped, at restart %d", restart)
            .isInstanceOf(LandingException.class);
      }
      assertThat(quotes.keys()).doesNotHaveDuplicates();
      int now = StoredTree.files(quotes.storage).size();
      if (restart <= RESTARTS / 2) {
        files = Math.max(files, now);
      }
      assertThat(now).as("files at restart %d", restart).isLessThanOrEqualTo(files);
      assertThat(quotes.storage.list(Quotes.LOG))
          .as("the log at restart %d", restart)
          .hasSizeLessThanOrEqualTo(1 + MOST_ENTRIES);
      assertThat(quotes.storage.list(Quotes.ROOT.child(".staging")))
          .as("staging directories at restart %d", restart)
          .hasSizeLessThanOrEqualTo(2);
    }
  }

  private static void landsAllOnce(
      Quotes quotes, TableCatalog catalog, TestTask.BadRecords badRecords) throws Exception {
    RottenStore.produce(quotes, 8);
    quotes.land(RottenStore.task(quotes, catalog, badRecords));

    assertThat(quotes.keys()).containsExactlyInAnyOrderElementsOf(quotes.produced);
    assertThat(new HashSet<>(quotes.keys())).hasSameSizeAs(quotes.produced);
  }

  /** A catalog whose answers take longer than the task takes to fail. */
  private static final class SlowCatalog extends EmptyCatalog {

    @Override
    public boolean exists(TableName table) {
      LockSupport.parkNanos(Duration.ofMillis(300).toNanos());
      return true;
    }

    @Override
    public List<UnseenPartition> addPartitions(
        TableDefinition table, Collection<HivePartition> partitions) {
      LockSupport.parkNanos(Duration.ofMillis(300).toNanos());
      return List.of();
    }
  }

  /** A catalog in which the table's name in Hive belongs to another table. */
  private static final class TakenCatalog extends EmptyCatalog {

    @Override
    public void registerTable(TableDefinition table) throws CatalogConflictException {
      throw new CatalogConflictException(table.name() + " is another table");
    }

    @Override
    public List<UnseenPartition> addPartitions(
        TableDefinition table, Collection<HivePartition> partitions)
        throws CatalogConflictException {
      registerTable(table);
      return List.of();
    }
  }
}
