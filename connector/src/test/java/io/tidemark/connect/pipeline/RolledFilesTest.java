package io.tidemark.connect.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.completeness.ledger.HivePartitionSum;
import io.tidemark.connect.staging.FileLimits;
import io.tidemark.connect.staging.Routing;
import io.tidemark.registry.wire.FramingReader;
import io.tidemark.store.commit.CommitEntry;
import io.tidemark.store.log.OperatorConsent;
import io.tidemark.store.partition.FieldPartitioned;
import io.tidemark.store.partition.PartitionSpec;
import io.tidemark.store.table.DataFile;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Files that end before their batch. Each contains the records of one Hive partition in order. */
class RolledFilesTest {
  private static final PartitionSpec BY_KEY = new FieldPartitioned(List.of("key"));
  private static final int MANY_FILES = 1_000;
  private static final long LONG_MS = 20_000;
  private static final long SHORT_MS = 500;

  private final Quotes quotes = new Quotes();

  @Test
  void batchOfTenHasFilesOfThreeAndOneOfTheRest() throws Exception {
    quotes.produce(10);

    quotes.land(task(PartitionSpec.NONE, new FileLimits(3, 0, 0), MANY_FILES));

    assertThat(batches()).hasSize(1);
    assertThat(files()).extracting(DataFile::records).containsExactly(3L, 3L, 3L, 1L);
    assertThat(files()).extracting(DataFile::firstOffset).containsExactly(0L, 3L, 6L, 9L);
    assertThat(quotes.keys()).isEqualTo(quotes.produced);
  }

  @Test
  void fileThatIsJustFullIsFollowedByNoEmptyOne() throws Exception {
    quotes.produce(9);

    quotes.land(task(PartitionSpec.NONE, new FileLimits(3, 0, 0), MANY_FILES));

    assertThat(files()).extracting(DataFile::records).containsExactly(3L, 3L, 3L);
  }

  /** A chunk has 16 records here. */
  @Test
  void filesEndWithinAndBeyondChunks() throws Exception {
    quotes.produce(500);

    quotes.land(task(PartitionSpec.NONE, new FileLimits(37, 0, 0), MANY_FILES));

    assertThat(files())
        .hasSize(14)
        .extracting(DataFile::records)
        .startsWith(37L, 37L)
        .endsWith(19L);
    assertThat(files().subList(0, 13)).allMatch(file -> file.records() == 37);
    assertThat(quotes.keys()).isEqualTo(quotes.produced);
  }

  @Test
  void eachHivePartitionHasItsOwnCount() throws Exception {
    for (int i = 0; i < 60; i++) {
      quotes.produce(i % 3 == 0 ? "a" : "b");
    }

    quotes.land(task(BY_KEY, new FileLimits(7, 0, 0), MANY_FILES));

    assertThat(recordsOf("key=a")).containsExactly(7L, 7L, 6L);
    assertThat(recordsOf("key=b")).containsExactly(7L, 7L, 7L, 7L, 7L, 5L);
    assertThat(quotes.keys()).containsExactlyInAnyOrderElementsOf(quotes.produced);
  }

  @Test
  void ledgerSumsUpAllFilesOfAHivePartition() throws Exception {
    for (int i = 0; i < 60; i++) {
      quotes.produce(i % 3 == 0 ? "a" : "b");
    }

    quotes.land(task(BY_KEY, new FileLimits(7, 0, 0), MANY_FILES));

    assertThat(HivePartitionSum.of(files()))
        .extracting(sum -> sum.id().hivePartition() + " " + sum.files() + " " + sum.records())
        .containsExactly("key=a 3 20", "key=b 6 40");
  }

  @Test
  void fileEndsWhenItHasItsBytes() throws Exception {
    quotes.produce(3_000);

    quotes.land(task(PartitionSpec.NONE, new FileLimits(0, 4_000, 0), MANY_FILES));

    assertThat(files()).hasSizeGreaterThan(4);
    assertThat(files().subList(0, files().size() - 1))
        .allSatisfy(file -> assertThat(file.bytes()).isBetween(4_000L, 5_500L));
    assertThat(quotes.keys()).isEqualTo(quotes.produced);
  }

  /**
   * Each record becomes a file. The flush is not caused by the number of records or the interval.
   */
  @Test
  void batchThatComesNearItsMostFilesIsFlushed() throws Exception {
    quotes.produce(80);
    TestTask task = task(PartitionSpec.NONE, new FileLimits(1, 0, 0), 100, 100_000, 20_000);

    quotes.land(task);

    assertThat(batches()).hasSize(1);
    assertThat(files()).hasSize(80);
  }

  /** A poll delivers 50 records, so the flush comes too late. */
  @Test
  void batchEndsBeforeTheRecordThatNeedsOneFileMore() throws Exception {
    for (int i = 0; i < 90; i++) {
      quotes.produce(i % 3 == 0 ? "a" : "b");
    }

    quotes.land(task(BY_KEY, new FileLimits(2, 0, 0), 5, 10, SHORT_MS));

    assertThat(batches()).allMatch(batch -> batch.files().size() <= 5);
    // b: 1-2, 4-5, 7-8, 10-; a: 0-3, 6-9: the sixth file would begin at 10.
    assertThat(batches().get(0).range().next()).isEqualTo(10);
    assertThat(quotes.keys()).containsExactlyInAnyOrderElementsOf(quotes.produced);
  }

  @Test
  void oneFileABatchIsEnough() throws Exception {
    quotes.produce(10);

    quotes.land(task(PartitionSpec.NONE, new FileLimits(4, 0, 0), 1, 10, SHORT_MS));

    assertThat(files()).extracting(DataFile::records).containsExactly(4L, 4L, 2L);
    assertThat(batches()).hasSize(3);
    assertThat(quotes.keys()).isEqualTo(quotes.produced);
  }

  /**
   * A task that lands all produced records as one batch, unless this would exceed its limit of
   * files.
   */
  private TestTask task(PartitionSpec partitioning, FileLimits limits, int mostFiles) {
    return task(partitioning, limits, mostFiles, quotes.produced.size(), LONG_MS);
  }

  private TestTask task(
      PartitionSpec partitioning,
      FileLimits limits,
      int mostFiles,
      long batchRecords,
      long batchIntervalMs) {
    return new TestTask(
        quotes.topic,
        quotes.storage,
        new OneSchema(Quotes.SCHEMA, Quotes.SCHEMA_ID),
        FramingReader::new,
        name -> Routing.toOne(TestTask.table(name, partitioning)),
        Optional.empty(),
        batchRecords,
        100,
        TestTask.BadRecords.STOP,
        new TestTask.Limits(64 << 20, 100, 1_000, batchIntervalMs)
            .hivePartitions(mostFiles)
            .files(limits),
        Clock.systemUTC(),
        OperatorConsent.NONE);
  }

  private List<CommitEntry.Batch> batches() throws Exception {
    return LandedRows.batches(quotes.storage, Quotes.LOG).stream()
        .filter(batch -> !batch.files().isEmpty())
        .toList();
  }

  private List<DataFile> files() throws Exception {
    return batches().stream().flatMap(batch -> batch.files().stream()).toList();
  }

  private List<Long> recordsOf(String hivePartition) throws Exception {
    return files().stream()
        .collect(
            Collectors.groupingBy(
                file -> file.hivePartition().path(),
                TreeMap::new,
                Collectors.mapping(DataFile::records, Collectors.toList())))
        .getOrDefault(hivePartition, List.of());
  }
}
