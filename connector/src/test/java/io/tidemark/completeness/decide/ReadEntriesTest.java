package io.tidemark.completeness.decide;

import static io.tidemark.completeness.decide.Scene.batch;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.completeness.ledger.HivePartitionId;
import io.tidemark.completeness.ledger.LogPointer;
import io.tidemark.completeness.ledger.SettledEntry;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Entries that were read and are not in every total, or not in the ledger yet. */
class ReadEntriesTest {
  private static final HivePartitionId HOUR =
      new HivePartitionId(Scene.ORDERS, ModelTopic.hivePartition(0));

  private final Scene scene = new Scene();

  private Decision reckon(Map<String, String> nameTaken, SettledEntry accounted) {
    Look look = new Look();
    Findings findings =
        new Findings(
            scene.findings(List.of(accounted)).logs(),
            new Findings.Topics(Set.of(), Set.of(), nameTaken, Assignments.NONE),
            Map.of(),
            Optional.empty(),
            Set.of(),
            look,
            Optional.empty());
    look.seen.addAll(scene.decide(findings).toLook());
    Decision decision = scene.decide(findings);
    scene.append(decision.entry(UUID.randomUUID(), scene.now));
    return decision;
  }

  @Test
  void recordsThatWereReadWhileTheTopicHadNoTableMakeItsTotalsPartial() {
    LedgerSettings corrected = scene.settings;
    scene.settings = Scene.settings(false, Map.of(), Map.of());
    scene.snapshot(1, "id", 10);
    assertThat(reckon(Map.of("orders", "a topic has its name"), batch(0, 1, "id", 0, 10, 1)))
        .isNotNull();
    scene.settings = corrected;
    scene.snapshot(2, "id", 20);

    assertThat(reckon(Map.of(), batch(0, 2, "id", 10, 20, 1)).completions())
        .isNotEmpty()
        .allMatch(each -> each.total().partial());
  }

  /** The account is deleted before the entries are in the ledger. */
  @Test
  void unseenHivePartitionsAreKeptWithTheEntries() throws Exception {
    ListedLog log = new ListedLog();
    SettledEntry entry = batch(0, 1, "id", 0, 10, 0);
    log.put(entry, scene.now);
    LogPointer pointer = new LogPointer("orders", 0, 1, entry.attempt(), 1, List.of(HOUR));
    LogRead first =
        new LogReader(
                scene.ledger, "orders", 0, log, List.of(new LogReader.Pointed(scene.now, pointer)))
            .read(Optional.empty(), new ListedLog.Most(10), false);

    LogRead second =
        new LogReader(scene.ledger, "orders", 0, log, List.of())
            .read(Optional.of(first), new ListedLog.Most(10), false);
    assertThat(second.entries()).hasSize(1);
    assertThat(second.unseen()).containsExactly(HOUR);
  }
}
