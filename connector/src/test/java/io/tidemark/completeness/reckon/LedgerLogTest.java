package io.tidemark.completeness.reckon;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.completeness.decide.Ledger;
import io.tidemark.completeness.decide.Snapshots;
import io.tidemark.completeness.ledger.LedgerDirectories;
import io.tidemark.completeness.ledger.LedgerEntry;
import io.tidemark.completeness.ledger.Snapshot;
import io.tidemark.completeness.ledger.TopicEnds;
import io.tidemark.store.FaultyStorage;
import io.tidemark.store.MemoryStorage;
import io.tidemark.store.StoragePath;
import io.tidemark.store.StoredFile;
import io.tidemark.store.log.CorruptLogException;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class LedgerLogTest {
  private static final Instant EIGHT = Instant.parse("2026-11-21T08:00:00Z");
  private static final Duration LATENESS = Duration.ofMinutes(5);

  /** The store's clock, and the time by which the reckoners' clocks are ahead of it. */
  private Instant now = EIGHT.plus(LATENESS);

  private Duration ahead = Duration.ZERO;

  private final InstantSource storeClock = () -> now;
  private final InstantSource clock = () -> now.plus(ahead);
  private final MemoryStorage memory = new MemoryStorage(storeClock.withZone(ZoneOffset.UTC));
  private final FaultyStorage storage = new FaultyStorage(memory);
  private final LedgerDirectories folders =
      new LedgerDirectories(new StoragePath("/ledger"), "sales");

  private LedgerLog log(String worker) {
    return log("sales", worker);
  }

  private LedgerLog log(String connector, String worker) {
    return new LedgerLog(
        storage, folders, connector, worker, clock.withZone(ZoneOffset.UTC), Duration.ofMinutes(1));
  }

  private OwnedLedger claim(String worker) throws Exception {
    return won(log(worker).claim(0));
  }

  private static OwnedLedger won(OwnedLedger.Outcome claim) {
    assertThat(claim).isInstanceOf(OwnedLedger.Outcome.Owned.class);
    return ((OwnedLedger.Outcome.Owned) claim).ledger();
  }

  private static OwnedLedger appended(OwnedLedger.Outcome append) {
    assertThat(append).isInstanceOf(OwnedLedger.Outcome.Owned.class);
    return ((OwnedLedger.Outcome.Owned) append).ledger();
  }

  private LedgerEntry snapshot(Ledger ledger) {
    Instant askedAt = now.plus(ahead);
    Snapshot snapshot =
        new Snapshot(
            askedAt.minus(LATENESS),
            askedAt,
            "cluster",
            new TreeMap<>(
                Map.of("orders", new TopicEnds("t", List.of(10L), Collections.emptySortedMap()))));
    return Snapshots.entry(ledger, snapshot, Map.of(), UUID.randomUUID(), askedAt);
  }

  private OwnedLedger snapshot(OwnedLedger owned) throws Exception {
    return appended(owned.append(snapshot(owned.ledger())));
  }

  private List<String> entries() throws IOException {
    return memory.list(folders.log()).stream().map(file -> file.path().name()).toList();
  }

  @Test
  void nextReckonerGoesOnWhereTheOneBeforeStopped() throws Exception {
    OwnedLedger before = snapshot(claim("w1"));
    OwnedLedger after = claim("w2");

    assertThat(after.ledger().number()).isEqualTo(3);
    assertThat(after.ledger().snapshots()).isEqualTo(before.ledger().snapshots()).containsKey(2L);
    assertThat(log("w3").read()).isEqualTo(after.ledger());
  }

  @Test
  void zombieReckonerCanAppendNothing() throws Exception {
    OwnedLedger zombie = claim("w1");
    OwnedLedger owned = claim("w2");

    assertThat(zombie.append(snapshot(zombie.ledger())))
        .isInstanceOfSatisfying(
            OwnedLedger.Outcome.Fenced.class,
            fenced -> assertThat(fenced.reason()).contains("entry 2", "claimed by sales on w2"));
    assertThat(snapshot(owned).ledger().snapshots()).containsOnlyKeys(3L);
  }

  @Test
  void ledgerOfAnotherConnectorIsRefused() throws Exception {
    assertThat(claim("w1").ledger().number()).isEqualTo(1);

    assertThatThrownBy(() -> log("other", "w2").claim(0))
        .isInstanceOf(CorruptLogException.class)
        .hasMessageContaining("identity.json: the log directory belongs to connector \"sales\"");
    assertThat(entries()).hasSize(1);
  }

  @Test
  void whateverCallFailsAnEntryStandsOnceAndTheNextClaimKnowsIt() throws Exception {
    for (boolean before : List.of(true, false)) {
      int failed = 0;
      for (int call = 1; ; call++) {
        memory.deleteTree(folders.root());
        int[] calls = {0};
        int at = call;
        if (before) {
          storage.failBefore(any -> ++calls[0] == at);
        } else {
          storage.failAfter(any -> ++calls[0] == at);
        }
        boolean threw = false;
        UUID attempt = new UUID(0, call);
        try {
          OwnedLedger owned = claim("w1");
          appended(
              owned.append(
                  new LedgerEntry.Claim(
                      attempt, owned.ledger().state().withoutPositions(), now, "marked", "w1")));
        } catch (IOException e) {
          threw = true;
          failed++;
        }
        storage.heal();
        if (!threw) {
          assertThat(calls[0]).as("all calls were tried").isLessThan(call);
          break;
        }
        OwnedLedger next = claim("w2");
        assertThat(next.ledger().number()).isEqualTo(entries().size()).isBetween(1L, 3L);
        assertThat(entries()).as("without temporary files").allMatch(name -> name.startsWith("0"));
      }
      assertThat(failed).isGreaterThan(5);
    }
  }

  @Test
  void entriesAreFoldedOnceAllOfThemWereShown() throws Exception {
    OwnedLedger owned = claim("w1");
    for (int i = 1; i < OwnedLedger.ENTRIES_MOST; i++) {
      owned = snapshot(owned);
    }
    owned = owned.shown(OwnedLedger.ENTRIES_MOST - 1, Map.of()).fold(now);
    assertThat(entries()).as("one is not shown").hasSize(OwnedLedger.ENTRIES_MOST);

    owned = owned.shown(OwnedLedger.ENTRIES_MOST, Map.of()).fold(now);
    assertThat(entries()).containsExactly("00000000000000000200.checkpoint.json");
    owned = snapshot(owned);
    assertThat(log("w2").read()).isEqualTo(owned.ledger());
    assertThat(claim("w2").unshown())
        .extracting(each -> each.entry().number())
        .contains(201L, 202L);
  }

  @Test
  void whatWasPerhapsNotShownIsShownByTheNextReckoner() throws Exception {
    OwnedLedger owned = snapshot(snapshot(claim("w1"))).shown(2, Map.of());
    owned = snapshot(owned); // entry 4 says that 2 was shown
    assertThat(owned.unshown()).hasSize(2);

    List<OwnedLedger.Unshown> unshown = claim("w2").unshown();
    assertThat(unshown).extracting(each -> each.entry().number()).containsExactly(3L, 4L, 5L);
    assertThat(unshown).extracting(each -> each.before().number()).containsExactly(2L, 3L, 4L);
  }

  @Test
  void snapshotOfAClockAnHourAheadCoversNothingForAnyReckoner() throws Exception {
    OwnedLedger owned = claim("w1");
    ahead = Duration.ofHours(1);
    owned = snapshot(owned);

    assertThat(owned.clockAgrees()).isFalse();
    assertThat(owned.ledger().snapshots()).isEmpty();
    assertThat(owned.ledger().state().pending()).isEmpty();

    ahead = Duration.ZERO;
    OwnedLedger next = claim("w2"); // the first one died before it could record it
    assertThat(next.ledger().snapshots()).isEmpty();
    assertThat(next.clockAgrees()).isTrue();
    assertThat(snapshot(next).ledger().snapshots()).containsOnlyKeys(4L);
  }

  @Test
  void clockThatWasSteppedBackTakesNoSnapshotUntilItAgrees() throws Exception {
    OwnedLedger owned = claim("w1");
    ahead = Duration.ofMinutes(-61);
    owned = snapshot(owned);
    assertThat(owned.clockAgrees()).isFalse();
    assertThat(owned.ledger().snapshots()).isEmpty();
    assertThat(claim("w1").clockAgrees()).isFalse();

    ahead = Duration.ofSeconds(-59);
    assertThat(claim("w1").clockAgrees()).isTrue();
  }

  @Test
  void clockThatWasAheadWhenKafkaWasAskedAndRightWhenTheEntryWasWrittenIsNotBelieved()
      throws Exception {
    OwnedLedger owned = claim("w1");
    ahead = Duration.ofHours(1);
    LedgerEntry.SnapshotTaken asked = (LedgerEntry.SnapshotTaken) snapshot(owned.ledger());
    owned =
        appended(
            owned.append(
                new LedgerEntry.SnapshotTaken(
                    asked.attempt(), asked.state(), now, asked.snapshot())));
    assertThat(owned.ledger().snapshots()).isEmpty();
  }

  @Test
  void removedLedgerGoesOnAboveAllThatWasShown() throws Exception {
    OwnedLedger owned = snapshot(snapshot(claim("w1")));
    assertThat(owned.ledger().number()).isEqualTo(3);
    memory.deleteTree(folders.ledger());

    assertThatThrownBy(() -> snapshot(owned)).isInstanceOf(IOException.class);
    OwnedLedger again = won(log("w1").claim(3));
    assertThat(again.ledger().number()).isEqualTo(5);
    assertThat(again.ledger().snapshots()).isEmpty();
    assertThat(again.ledger().state().shownThrough()).isEqualTo(4);
    assertThat(again.unshown()).extracting(each -> each.entry().number()).containsExactly(5L);
    assertThat(again.unshown()).extracting(each -> each.before().number()).containsExactly(4L);
    assertThat(claim("w2").ledger().number()).isEqualTo(6);
  }

  @Test
  void restoredLedgerGoesOnFromItsCopyAboveAllThatWasShown() throws Exception {
    OwnedLedger owned = snapshot(claim("w1"));
    for (int i = 0; i < 5; i++) {
      owned = snapshot(owned);
    }
    for (StoredFile file : memory.list(folders.log())) {
      if (file.path().name().compareTo("00000000000000000003") > 0) {
        assertThat(memory.delete(file.path())).isTrue();
      }
    }

    OwnedLedger again = won(log("w2").claim(6));
    assertThat(again.ledger().number()).isEqualTo(8);
    assertThat(again.ledger().snapshots()).containsOnlyKeys(2L);
    assertThat(owned.append(snapshot(owned.ledger())))
        .as("the one before, which still runs")
        .isInstanceOf(OwnedLedger.Outcome.Fenced.class);
    assertThat(log("w3").read()).isEqualTo(again.ledger());
  }

  @Test
  void restoredLedgerDoesNotBelieveASnapshotOfAWrongClockEither() throws Exception {
    OwnedLedger owned = claim("w1");
    ahead = Duration.ofHours(1);
    assertThat(snapshot(owned).ledger().number()).isEqualTo(2);
    ahead = Duration.ZERO;

    assertThat(won(log("w2").claim(7)).ledger().snapshots()).isEmpty();
    assertThat(log("w3").read().snapshots()).isEmpty();
  }
}
