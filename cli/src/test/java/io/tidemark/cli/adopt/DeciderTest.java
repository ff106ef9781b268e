package io.tidemark.cli.adopt;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.cli.adopt.Decision.Source;
import io.tidemark.cli.adopt.Decision.Verdict;
import io.tidemark.cli.adopt.WriteAheadLog.Block;
import io.tidemark.cli.adopt.WriteAheadLog.Rename;
import io.tidemark.store.StoragePath;
import io.tidemark.store.StoredFile;
import io.tidemark.store.TopicPartition;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The rules, one by one. The files are those of {@code orders-0}. */
class DeciderTest {
  private static final TopicPartition ORDERS = new TopicPartition("orders", 0);
  private static final StoragePath DIRECTORY = new StoragePath("/topics/orders");

  private final List<OldFile> files = new ArrayList<>();
  private final Map<StoragePath, OldFile.Content> temporary = new HashMap<>();
  private Optional<WriteAheadLog> log = Optional.empty();
  private Optional<WriteAheadLog> former = Optional.empty();
  private boolean leftovers;
  private Optional<Long> group = Optional.empty();
  private long beginning;
  private long end = 1_000;
  private Consents consents = Consents.NONE;

  private Decision decide() {
    TopicPartitionState state =
        new TopicPartitionState(
            ORDERS,
            DIRECTORY,
            files,
            temporary,
            leftovers,
            log,
            former,
            new KafkaOffsets(
                group.map(offset -> Map.of(ORDERS, offset)).orElse(Map.of()),
                Map.of(ORDERS, beginning),
                Map.of(ORDERS, end)),
            consents);
    return Decider.decide(state, NamedOffsets.of(files));
  }

  private static StoragePath path(String city, long first, long last) {
    return DIRECTORY.child("city=%s/orders+0+%010d+%010d.avro".formatted(city, first, last));
  }

  private static StoragePath temporaryPath(String city) {
    return new StoragePath("/topics/+tmp/orders/city=" + city + "/1_tmp.avro");
  }

  private void file(String city, long first, long last, long records) {
    files.add(
        OldFile.parse(StoredFile.file(path(city, first, last), 300, 0))
            .orElseThrow()
            .with(new OldFile.Records(records)));
  }

  private static Rename rename(String city, long first, long last) {
    return new Rename(temporaryPath(city), path(city, first, last));
  }

  private static Optional<WriteAheadLog> log(
      String name, Optional<Block> last, Optional<Block> open) {
    return Optional.of(
        new WriteAheadLog(
            new StoragePath("/logs/orders/0/" + name),
            1_000,
            1_000,
            last.isPresent() ? 1 : 0,
            last,
            open,
            Set.of("namenode:8020"),
            false,
            Optional.empty()));
  }

  private static Optional<Block> block(Rename... renames) {
    return Optional.of(new Block(20, Arrays.asList(renames)));
  }

  private void assertRefused(String problem, String cure) {
    Decision decision = decide();
    assertThat(decision.verdict()).as(decision.toString()).isEqualTo(Verdict.REFUSED);
    assertThat(decision.refusals())
        .as(decision.toString())
        .anySatisfy(
            each -> {
              assertThat(each.place()).isEqualTo("orders-0");
              assertThat(each.problem()).contains(problem);
              assertThat(each.cure()).contains(cure);
            });
  }

  private Decision assertVerdict(Verdict verdict) {
    Decision decision = decide();
    assertThat(decision.verdict()).as(decision.toString()).isEqualTo(verdict);
    return decision;
  }

  /** A commit of the offsets 0 to 9 in two directories, of which one file was renamed. */
  private void interruptedCommit() {
    file("a", 0, 9, 6);
    temporary.put(temporaryPath("b"), new OldFile.Records(4));
    log = log("log", block(rename("a", 0, 9), rename("b", 1, 8)), Optional.empty());
  }

  @Test
  void interruptedCommitIsFinishedFirst() {
    interruptedCommit();

    Decision decision = assertVerdict(Verdict.TO_FINISH);
    assertThat(decision.next()).hasValue(10);
    assertThat(decision.pending()).containsExactly(rename("b", 1, 8));
  }

  @Test
  void temporaryFileThatIsOpenIsNotRenamed() {
    interruptedCommit();
    temporary.put(temporaryPath("b"), new OldFile.Broken("is still open"));
    assertRefused("city=b/1_tmp.avro is still open", "recoverLease");
  }

  @Test
  void temporaryFileWithMoreRecordsThanItsNameIsNotRenamed() {
    interruptedCommit();
    temporary.put(temporaryPath("b"), new OldFile.Records(9));
    assertRefused("has 9 records, more than the 8 offsets", "snapshot");
  }

  @Test
  void temporaryFileOfALaterCommitIsNotRenamed() {
    interruptedCommit();
    group = Optional.of(10L);
    assertRefused("the consumer group has the offset 10", Consents.MISSING_FILES);

    consents = new Consents(true, false, false);
    Decision decision = assertVerdict(Verdict.ACCEPTED);
    assertThat(decision.next()).hasValue(10);
    assertThat(decision.pending()).isEmpty();
  }

  @Test
  void fileBeforeAnExistingOneOfItsBlockWasRemovedSince() {
    interruptedCommit();
    log = log("log", block(rename("b", 1, 8), rename("a", 0, 9)), Optional.empty());
    assertRefused("later files of the same block exist", Consents.MISSING_FILES);
  }

  @Test
  void logOfAnEarlierLifeHasNothingPending() {
    interruptedCommit();
    former = log;
    log = Optional.empty();
    assertRefused("the sink was started again since", Consents.MISSING_FILES);
  }

  @Test
  void interruptedCommitNeedsAllItsRecords() {
    interruptedCommit();
    temporary.put(temporaryPath("b"), new OldFile.Records(3));
    assertRefused("have 9 records for the offsets 0 to 9", "hdfs dfs -mv");
  }

  @Test
  void commitWithoutAnyRenameNeedsAllItsRecords() {
    temporary.put(temporaryPath("a"), new OldFile.Records(6));
    temporary.put(temporaryPath("b"), new OldFile.Records(4));
    log = log("log", block(rename("a", 0, 9), rename("b", 1, 8)), Optional.empty());
    assertThat(assertVerdict(Verdict.TO_FINISH).pending()).hasSize(2);

    temporary.put(temporaryPath("b"), new OldFile.Records(3));
    assertRefused("have 9 records for the offsets 0 to 9", "hdfs dfs -mv");
  }

  @Test
  void renameWithoutTemporaryFileIsRefused() {
    interruptedCommit();
    temporary.clear();
    assertRefused("exist neither at their name nor in +tmp", "Restore them from the trash");
  }

  @Test
  void blockWithoutEndIsReadAgain() {
    file("a", 0, 9, 10);
    log = log("log", block(rename("a", 0, 9)), block(rename("a", 10, 19)));

    Decision decision = assertVerdict(Verdict.ACCEPTED);
    assertThat(decision.next()).hasValue(10);
    assertThat(decision.notes()).anyMatch(each -> each.contains("has no END"));
  }

  @Test
  void blockWithoutEndThatWasAppliedIsACutLog() {
    file("a", 0, 9, 10);
    file("a", 10, 19, 10);
    log = log("log", block(rename("a", 0, 9)), block(rename("a", 10, 19)));
    assertRefused("has no END, but files that it names exist", "Restore the log");
  }

  @Test
  void filesAfterTheLogAreRefused() {
    file("a", 0, 9, 10);
    file("a", 10, 19, 10);
    log = log("log", block(rename("a", 0, 9)), Optional.empty());
    assertRefused("the log disagrees with the files", "recoverLease");
  }

  @Test
  void formerLogAloneDecides() {
    file("a", 0, 9, 10);
    former = log("log.1", block(rename("a", 0, 9)), Optional.empty());

    Decision decision = assertVerdict(Verdict.ACCEPTED);
    assertThat(decision.source()).isEqualTo(Source.FORMER_LOG);
    assertThat(decision.next()).hasValue(10);
  }

  @Test
  void firstBytesOfALogDoNotDecide() {
    file("a", 0, 9, 6);
    leftovers = true;
    log = log("log", Optional.empty(), block());
    assertRefused("has no complete block", "recoverLease");

    group = Optional.of(10L);
    assertThat(assertVerdict(Verdict.ACCEPTED).source()).isEqualTo(Source.NAMES);
  }

  @Test
  void namesAloneDoNotDecideAfterAKill() {
    file("a", 0, 9, 6);
    leftovers = true;
    assertRefused("names alone then lose records", "logs.dir");

    leftovers = false;
    Decision decision = assertVerdict(Verdict.ACCEPTED);
    assertThat(decision.source()).isEqualTo(Source.NAMES);
    assertThat(decision.next()).hasValue(10);
  }

  @Test
  void namesSortAsNumbers() {
    file("a", 99_995, 99_999, 5);
    file("a", 100_000, 100_004, 5);
    end = 200_000;
    beginning = 99_985;
    assertThat(assertVerdict(Verdict.ACCEPTED).next()).hasValue(100_005);
  }

  @Test
  void groupDecidesIfNothingWasCommitted() {
    group = Optional.of(500L);
    assertThat(assertVerdict(Verdict.ACCEPTED).next()).hasValue(500);

    group = Optional.empty();
    Decision decision = assertVerdict(Verdict.ACCEPTED);
    assertThat(decision.next()).isEmpty();
    assertThat(decision.source()).isEqualTo(Source.NOTHING);
  }

  @Test
  void groupNeverLeads() {
    file("a", 0, 9, 10);
    log = log("log", block(rename("a", 0, 9)), Optional.empty());
    group = Optional.of(11L);
    assertRefused("the consumer group has the offset 11", "set the group's offset to 10");
  }

  @Test
  void recordsThatKafkaDeletedAreRefused() {
    file("a", 0, 9, 10);
    log = log("log", block(rename("a", 0, 9)), Optional.empty());
    beginning = 10;
    assertVerdict(Verdict.ACCEPTED);

    beginning = 11;
    assertRefused("Kafka has deleted the offsets 10 to 10", Consents.LOST_RECORDS);
    consents = new Consents(false, true, false);
    assertVerdict(Verdict.ACCEPTED);
  }

  @Test
  void recreatedTopicIsRefused() {
    file("a", 0, 9, 10);
    end = 9;
    assertRefused("Kafka ends at offset 9", "use a new table");
  }

  @Test
  void emptyFileIsRefusedWithTheFilesOfItsCommit() {
    files.add(
        OldFile.parse(StoredFile.file(path("a", 0, 9), 0, 0))
            .orElseThrow()
            .with(new OldFile.Broken("has 0 bytes")));
    file("b", 1, 8, 4);
    assertRefused("orders+0+0000000000+0000000009.avro has 0 bytes", path("b", 1, 8).value());
  }

  @Test
  void overlapOfOneDirectoryIsTwice() {
    file("a", 0, 9, 5);
    file("a", 5, 14, 5);
    assertRefused("0000000014.avro have offsets in common", "move the wrong ones");
  }

  @Test
  void moreRecordsThanOffsetsAreTwice() {
    file("a", 0, 9, 6);
    file("b", 1, 8, 5);
    assertRefused("the files of the offsets 0 to 9 have 11 records", "move the wrong ones");
  }

  @Test
  void gapsAndSkippedOffsetsAreNotes() {
    file("a", 0, 9, 8);
    file("a", 15, 19, 5);

    assertThat(assertVerdict(Verdict.ACCEPTED).notes())
        .anyMatch(each -> each.startsWith("5 offsets between its files"))
        .anyMatch(each -> each.startsWith("2 offsets within names"));
  }

  @Test
  void logOfAnotherConnectorIsRefused() {
    log =
        log(
            "log",
            block(
                new Rename(
                    temporaryPath("a"),
                    new StoragePath("/other/orders/city=a/orders+0+0000000000+0000000009.avro"))),
            Optional.empty());
    assertRefused("are not files of this topic-partition for /topics/orders", "Check topics.dir");
  }

  @Test
  void damagedLogIsRefusedAndAFormerOneIsNotNeeded() {
    file("a", 0, 9, 10);
    WriteAheadLog whole = log("log", block(rename("a", 0, 9)), Optional.empty()).orElseThrow();
    WriteAheadLog damaged =
        new WriteAheadLog(
            new StoragePath("/logs/orders/0/log.1"),
            50,
            50,
            0,
            Optional.empty(),
            Optional.empty(),
            Set.of(),
            false,
            Optional.of("at byte 35: a text is not UTF-8"));
    log = Optional.of(whole);
    former = Optional.of(damaged);
    assertVerdict(Verdict.ACCEPTED);

    log = Optional.of(damaged);
    former = Optional.of(whole);
    assertRefused("is damaged at byte 35", "Restore it");
  }
}
