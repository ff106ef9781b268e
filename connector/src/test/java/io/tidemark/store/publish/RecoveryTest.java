package io.tidemark.store.publish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.store.FaultyStorage;
import io.tidemark.store.MemoryStorage;
import io.tidemark.store.StoragePath;
import io.tidemark.store.TopicPartition;
import io.tidemark.store.batch.BatchIdCounts;
import io.tidemark.store.batch.NotLanded;
import io.tidemark.store.batch.OffsetRange;
import io.tidemark.store.commit.Claimant;
import io.tidemark.store.commit.CommitLog;
import io.tidemark.store.commit.OwnedLog;
import io.tidemark.store.commit.TopicIdentity;
import io.tidemark.store.log.OperatorConsent;
import io.tidemark.store.partition.HivePartition;
import io.tidemark.store.table.DataFile;
import io.tidemark.store.table.StagingDirectories;
import io.tidemark.store.table.TableLayout;
import io.tidemark.store.table.TableName;
import io.tidemark.store.table.TableRoot;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Clock;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class RecoveryTest {
  private static final TopicPartition QUOTES = new TopicPartition("quotes", 3);

  private static final TableLayout TABLE = new TableLayout(new StoragePath("/topics/quotes"));
  private static final List<TableLayout> TABLES = List.of(TABLE);
  private static final TableLayout LOCKED = new TableLayout(new StoragePath("/elsewhere/quotes"));
  private static final TableName NAME = new TableName("default", "quotes");
  private static final StoragePath PUBLISHED =
      new StoragePath("/topics/quotes/dt=2026-11-21/quotes.avro");

  private final MemoryStorage storage = new MemoryStorage();
  private final CommitLog log = CommitLog.of(storage, new StoragePath("/logs"), "quotes", QUOTES);
  private final StagingDirectories staging = new StagingDirectories(storage, "quotes", QUOTES);
  private final Recovery recovery = new Recovery(new Publisher(storage));

  @Test
  void stagedFilesOfEarlierClaimsAreRemoved() throws Exception {
    StoragePath left = staged(claim(), "0b1e7a52-1.avro");
    OwnedLog next = claim();

    recovery.recover(next, staging, TABLES, TABLES);

    assertThat(storage.find(left)).isEmpty();
    assertThat(storage.find(left.parent())).isEmpty();
  }

  @Test
  void ownerThatSleptSinceItsClaimLeavesTheNextOwnersStagedFiles() throws Exception {
    OwnedLog zombie = claim();
    StoragePath committedSoon = staged(claim(), "0b1e7a52-1.avro");

    recovery.recover(zombie, staging, TABLES, TABLES);

    assertThat(storage.find(committedSoon)).isPresent();
  }

  @Test
  void formerRootThatIsLockedStopsNoRecovery() throws Exception {
    StoragePath left = staged(claim(), "0b1e7a52-1.avro");
    FaultyStorage faulty = new FaultyStorage(storage);
    faulty.failBefore(call -> call.contains(" /elsewhere"));
    OwnedLog next = claim();

    new Recovery(new Publisher(faulty))
        .recover(
            next, new StagingDirectories(faulty, "quotes", QUOTES), TABLES, List.of(TABLE, LOCKED));

    assertThat(storage.find(left)).isEmpty();
    assertThat(storage.find(staging.ofClaim(next.number(), next.claim()).in(TABLE))).isPresent();
  }

  @Test
  void batchOfAnEarlierClaimIsPublishedBesideAFormerRootThatIsLocked() throws Exception {
    commit(claim());
    claim(); // The owner dies before it recovers anything.
    FaultyStorage faulty = new FaultyStorage(storage);
    faulty.failBefore(call -> call.contains(" /elsewhere"));

    new Recovery(new Publisher(faulty))
        .recover(
            claim(),
            new StagingDirectories(faulty, "quotes", QUOTES),
            TABLES,
            List.of(TABLE, LOCKED));

    assertThat(storage.find(PUBLISHED)).isPresent();
  }

  /** The directory of the claim that published the batch is in a root that cannot be read. */
  @Test
  void batchThatALockedFormerRootMayShowAsPublishedIsNotToldAsLost() throws Exception {
    commit(claim());
    recovery.recover(claim(), staging, List.of(LOCKED), List.of(TABLE, LOCKED));
    assertThat(storage.deleteTree(TABLE.root())).isTrue();
    FaultyStorage faulty = new FaultyStorage(storage);
    faulty.failBefore(call -> call.contains(" /elsewhere"));
    OwnedLog third = claim();
    Recovery again = new Recovery(new Publisher(faulty));
    StagingDirectories seen = new StagingDirectories(faulty, "quotes", QUOTES);

    assertThatThrownBy(() -> again.recover(third, seen, TABLES, List.of(TABLE, LOCKED)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("/elsewhere/quotes, a former root of a table, cannot be read")
        .hasMessageContaining("Make it readable");
    faulty.heal();
    again.recover(third, seen, TABLES, List.of(TABLE, LOCKED));

    assertThat(storage.find(PUBLISHED)).isEmpty();
  }

  /** Commits a batch of one staged file without publishing it. */
  private void commit(OwnedLog owner) throws Exception {
    UUID attempt = UUID.randomUUID();
    StoragePath staged = staged(owner, attempt + "-1.avro");
    DataFile file =
        new DataFile(
            NAME,
            staged,
            PUBLISHED,
            HivePartition.parse("dt=2026-11-21"),
            1,
            1,
            "null",
            1,
            List.of("1"),
            0,
            0,
            0,
            0);
    owner.commit(
        owner.draft(
            attempt,
            new OffsetRange(0, 1),
            1,
            NotLanded.NOTHING,
            List.of(new TableRoot(NAME, TABLE.root())),
            List.of(file),
            BatchIdCounts.NONE));
  }

  private OwnedLog claim() throws Exception {
    return OwnedLog.claim(
        log,
        () -> new TopicIdentity("cluster", "topic"),
        new Claimant("quotes", 0, "worker"),
        OperatorConsent.NONE,
        Clock.systemUTC());
  }

  private StoragePath staged(OwnedLog owner, String name) throws IOException {
    StagingDirectories.OfClaim claim = staging.ofClaim(owner.number(), owner.claim());
    claim.createIn(TABLE);
    StoragePath file = claim.in(TABLE).child(name);
    try (OutputStream out = storage.create(file)) {
      out.write(1);
    }
    return file;
  }
}
