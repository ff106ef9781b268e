package io.tidemark.connect.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.connect.intake.LandingException;
import io.tidemark.store.StoragePath;
import io.tidemark.store.StoredFile;
import io.tidemark.store.log.OperatorConsent;
import io.tidemark.store.partition.PartitionSpec;
import io.tidemark.store.table.TableName;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A log that an operator removed or restored from an older copy, while its table remains. */
final class RestoredLogTest {
  private static final TableName NAME = new TableName("default", "quotes");
  private static final StoragePath CATALOG = Quotes.ROOT.child(".tidemark").child("catalog");

  private final Quotes quotes = new Quotes();

  @BeforeEach
  void landThreeBatches() throws Exception {
    quotes.produce(300);
    quotes.land(quotes.task(100));
  }

  @Test
  void logRestoredFromAnOlderCopyStopsTheNextTaskAndLandsNothingTwice() throws Exception {
    List<StoredFile> entries = quotes.storage.list(Quotes.LOG);
    assertThat(entries).as("a claim and three batches").hasSize(4);
    for (StoredFile newer : entries.subList(2, entries.size())) {
      assertThat(quotes.storage.delete(newer.path())).isTrue();
    }
    assertThat(quotes.next()).isEqualTo(100);

    assertNextTaskStopsAndLandsNothingTwice();
  }

  @Test
  void removedLogStopsTheNextTaskAndLandsNothingTwice() throws Exception {
    assertThat(quotes.storage.deleteTree(TestTask.LOGS)).isTrue();
    // A worker that dies before it commits the group's offset leaves this state.
    quotes.topic.groupOffsets.clear();

    assertNextTaskStopsAndLandsNothingTwice();
  }

  @Test
  void newLogByConsentBeginsAtTheGroupsOffset() throws Exception {
    assertThat(quotes.storage.deleteTree(TestTask.LOGS)).isTrue();
    quotes.produce(20);
    LandingException refusal = quotes.landOrStop(quotes.task(100)).orElseThrow();
    assertThat(refusal)
        .hasMessageContaining("at the offsets of the consumer group, or at Kafka's first offsets");
    quotes.storage.deleteTree(Quotes.ROOT.child(".staging"));
    // A batch behind the log, as after a worker that died before it committed the group's offset.
    quotes.topic.groupOffsets.replaceAll((topicPartition, offset) -> 200L);
    removeFiles(200);

    quotes.land(quotes.task(100, Quotes.consentTo(refusal)));
    assertThat(quotes.next()).isEqualTo(320);
    assertThat(quotes.log().last().orElseThrow().entry().state().first()).isEqualTo(200);
    assertThat(quotes.keys()).containsExactlyInAnyOrderElementsOf(quotes.produced);
  }

  @Test
  void newLogByConsentLandsAllRecordsOnceTheGroupsOffsetsAreReset() throws Exception {
    assertThat(quotes.storage.deleteTree(TestTask.LOGS)).isTrue();
    quotes.produce(20);
    LandingException refusal = quotes.landOrStop(quotes.task(100)).orElseThrow();
    quotes.topic.groupOffsets.clear();
    quotes.storage.deleteTree(Quotes.ROOT.child(".staging"));
    removeFiles(0);

    quotes.land(quotes.task(100, Quotes.consentTo(refusal)));
    assertThat(quotes.keys()).containsExactlyInAnyOrderElementsOf(quotes.produced);
  }

  @Test
  void logWithoutEntriesLandsAllRecordsOnceTheGroupsOffsetIsReset() throws Exception {
    assertThat(quotes.storage.deleteTree(Quotes.LOG)).isTrue();
    LandingException refusal = quotes.landOrStop(quotes.task(100)).orElseThrow();
    assertThat(refusal).hasMessageContaining("begins at the consumer group's offset: reset this");
    quotes.topic.groupOffsets.clear();
    removeFiles(0);

    quotes.land(quotes.task(100, Quotes.consentTo(refusal)));
    assertThat(quotes.keys()).containsExactlyInAnyOrderElementsOf(quotes.produced);
  }

  @Test
  void batchWithoutFilesIsMissedInARestoredLog() throws Exception {
    quotes.topic.tombstone(0);
    quotes.land(quotes.taskThatIgnoresTombstones());
    List<StoredFile> entries = quotes.storage.list(Quotes.LOG);
    assertThat(quotes.storage.delete(entries.get(entries.size() - 1).path())).isTrue();

    quotes.produce(20);
    assertThat(quotes.landOrStop(quotes.taskThatIgnoresTombstones())).isPresent();
  }

  @Test
  void consentToAnOlderLogIsForThatOneCopy() throws Exception {
    restoreOlderCopy();
    LandingException refusal = quotes.landOrStop(quotes.task(250)).orElseThrow();
    removeLaterFiles();

    quotes.land(quotes.task(100, Quotes.consentTo(refusal)));
    assertThat(quotes.keys()).containsExactlyInAnyOrderElementsOf(quotes.produced);

    restoreOlderCopy();
    assertThat(quotes.landOrStop(quotes.task(250, Quotes.consentTo(refusal)))).isPresent();
    assertThat(quotes.keys()).doesNotHaveDuplicates();
  }

  @Test
  void consentToAnOlderLogIsForThatOneCopyAlsoIfAsManyEntriesFollow() throws Exception {
    restoreOlderCopy();
    LandingException refusal = quotes.landOrStop(quotes.task(250)).orElseThrow();
    removeLaterFiles();
    quotes.land(quotes.task(1_000, Quotes.consentTo(refusal)));
    assertThat(quotes.log().last().orElseThrow().number()).as("as before").isEqualTo(4);
    assertThat(quotes.keys()).containsExactlyInAnyOrderElementsOf(quotes.produced);

    restoreOlderCopy();
    quotes.produce(20);
    assertThat(quotes.landOrStop(quotes.task(1_000, Quotes.consentTo(refusal)))).isPresent();
    assertThat(quotes.keys()).doesNotHaveDuplicates();
  }

  @Test
  void fileThatRemainsOfAMissingEntryStopsTheTaskUntilItIsMovedAway() throws Exception {
    quotes.produce(1);
    quotes.land(quotes.task(100));
    List<StoredFile> entries = quotes.storage.list(Quotes.LOG);
    assertThat(quotes.storage.delete(entries.get(entries.size() - 1).path())).isTrue();
    LandingException older = quotes.landOrStop(quotes.task(100)).orElseThrow();
    assertThat(older).hasMessageContaining("names repeat are moved away");
    OperatorConsent consent = Quotes.consentTo(older);

    assertThat(quotes.landOrStop(quotes.task(100, consent)).orElseThrow())
        .hasMessageContaining("the log was removed or restored from an older copy. Move the file");
    removeLaterFiles();
    quotes.land(quotes.task(100, consent));

    assertThat(quotes.keys()).containsExactlyInAnyOrderElementsOf(quotes.produced);
  }

  @Test
  void tableIsRegisteredAlsoForLaterClaimsThanThoseOfALogThatWasBegunAnew() throws Exception {
    landWithoutACatalogUnderALaterClaim();
    assertThat(quotes.storage.deleteTree(TestTask.LOGS)).isTrue();
    LandingException refusal = quotes.landOrStop(quotes.task(100)).orElseThrow();
    quotes.topic.groupOffsets.clear();
    quotes.storage.deleteTree(Quotes.ROOT.child(".staging"));
    removeFiles(0);
    quotes.land(quotes.task(1_000, Quotes.consentTo(refusal)));

    assertNextTaskWithACatalogRegistersTheTable();
  }

  @Test
  void tableIsRegisteredAlsoForLaterClaimsThanThoseOfAnOlderLog() throws Exception {
    landWithoutACatalogUnderALaterClaim();
    restoreOlderCopy();
    LandingException refusal = quotes.landOrStop(quotes.task(100)).orElseThrow();
    removeLaterFiles();
    quotes.land(quotes.task(1_000, Quotes.consentTo(refusal)));

    assertNextTaskWithACatalogRegistersTheTable();
  }

  @Test
  void tableIsRegisteredAlsoForALaterClaimWhoseMarkerFileWasBeingWritten() throws Exception {
    landWithoutACatalogUnderALaterClaim();
    StoredFile marker = quotes.storage.list(CATALOG).get(0);
    quotes.storage.rename(
        marker.path(),
        CATALOG.child("." + marker.path().name() + "." + UUID.randomUUID() + ".tmp"));
    restoreOlderCopy();
    LandingException refusal = quotes.landOrStop(quotes.task(100)).orElseThrow();
    removeLaterFiles();
    quotes.land(quotes.task(1_000, Quotes.consentTo(refusal)));

    assertNextTaskWithACatalogRegistersTheTable();
  }

  /** The files of a claim land whose number the next log or the older one will not have soon. */
  private void landWithoutACatalogUnderALaterClaim() throws Exception {
    for (int claim = 0; claim < 5; claim++) {
      quotes.produce(10);
      quotes.land(quotes.task(100));
    }
    assertThat(quotes.storage.list(CATALOG)).hasSize(1);
  }

  private void assertNextTaskWithACatalogRegistersTheTable() throws Exception {
    FakeCatalog catalog = new FakeCatalog();
    List<StoredFile> markers = quotes.storage.list(CATALOG);
    try (TestTask task =
        quotes.task(PartitionSpec.NONE, Optional.of(catalog.registrar(quotes.storage)))) {
      task.open(0);
      task.pollUntilLanded(0);
      task.pollUntil(() -> quotes.storage.find(CATALOG.child(NAME + ".json")).isPresent());
      task.pollUntil(
          () -> markers.stream().noneMatch(each -> quotes.storage.find(each.path()).isPresent()));
    }

    assertThat(catalog.exists(NAME)).isTrue();
    assertThat(quotes.storage.list(CATALOG))
        .extracting(file -> file.path().name())
        .containsExactly(NAME + ".json");
    assertThat(quotes.keys()).containsExactlyInAnyOrderElementsOf(quotes.produced);
  }

  /** Removes the files of entries that the log lacks. */
  private void removeLaterFiles() throws Exception {
    removeFiles(quotes.next());
  }

  private void removeFiles(long from) throws Exception {
    for (StoredFile file : quotes.storage.list(Quotes.ROOT)) {
      String[] name = file.path().name().split("\\+", -1); // quotes+0+g1+FIRST+LAST.avro
      if (name.length > 1 && Long.parseLong(name[3]) >= from) {
        assertThat(quotes.storage.delete(file.path())).isTrue();
      }
    }
  }

  private void restoreOlderCopy() throws Exception {
    List<StoredFile> entries = quotes.storage.list(Quotes.LOG);
    for (StoredFile newer : entries.subList(2, entries.size())) {
      assertThat(quotes.storage.delete(newer.path())).isTrue();
    }
  }

  private void assertNextTaskStopsAndLandsNothingTwice() throws Exception {
    quotes.produce(20);
    Optional<LandingException> failure = quotes.landOrStop(quotes.task(250));
    assertThat(quotes.keys()).doesNotHaveDuplicates();
    assertThat(failure).isPresent();
  }
}
