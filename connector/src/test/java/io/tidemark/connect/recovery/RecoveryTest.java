package io.tidemark.connect.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.connect.commit.CommitLog;
import io.tidemark.connect.commit.OwnedLog;
import io.tidemark.connect.commit.entry.Claimant;
import io.tidemark.connect.commit.entry.TopicIdentity;
import io.tidemark.connect.format.avro.AvroFormat;
import io.tidemark.connect.publish.Publisher;
import io.tidemark.connect.storage.FaultyStorage;
import io.tidemark.connect.storage.MemoryStorage;
import io.tidemark.connect.storage.StoragePath;
import io.tidemark.connect.storage.log.OperatorConsent;
import io.tidemark.connect.table.StagingDirectories;
import io.tidemark.connect.table.TableLayout;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Clock;
import java.util.List;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class RecoveryTest {
  private static final TopicPartition QUOTES = new TopicPartition("quotes", 3);

  private static final TableLayout TABLE = new TableLayout(new StoragePath("/topics/quotes"));
  private static final List<TableLayout> TABLES = List.of(TABLE);

  private final MemoryStorage storage = new MemoryStorage();
  private final CommitLog log = CommitLog.of(storage, new StoragePath("/logs"), "quotes", QUOTES);
  private final StagingDirectories staging = new StagingDirectories(storage, "quotes", QUOTES);
  private final Recovery recovery = new Recovery(new Publisher(storage, AvroFormat.INSTANCE));

  @Test
  void stagedFilesOfEarlierClaimsAreRemoved() throws Exception {
    StoragePath left = staged(claim());
    OwnedLog next = claim();

    recovery.recover(next, staging, TABLES, TABLES);

    assertThat(storage.find(left)).isEmpty();
    assertThat(storage.find(left.parent())).isEmpty();
  }

  @Test
  void ownerThatSleptSinceItsClaimLeavesTheNextOwnersStagedFiles() throws Exception {
    OwnedLog zombie = claim();
    StoragePath committedSoon = staged(claim());

    recovery.recover(zombie, staging, TABLES, TABLES);

    assertThat(storage.find(committedSoon)).isPresent();
  }

  @Test
  void formerRootThatIsLockedStopsNoRecovery() throws Exception {
    TableLayout locked = new TableLayout(new StoragePath("/elsewhere/quotes"));
    StoragePath left = staged(claim());
    FaultyStorage faulty = new FaultyStorage(storage);
    faulty.failBefore(call -> call.startsWith("list /elsewhere"));
    OwnedLog next = claim();

    new Recovery(new Publisher(faulty, AvroFormat.INSTANCE))
        .recover(
            next, new StagingDirectories(faulty, "quotes", QUOTES), TABLES, List.of(TABLE, locked));

    assertThat(storage.find(left)).isEmpty();
    assertThat(storage.find(staging.ofClaim(next.number(), next.claim()).in(TABLE))).isPresent();
  }

  private OwnedLog claim() throws Exception {
    return OwnedLog.claim(
        log,
        () -> new TopicIdentity("cluster", "topic"),
        new Claimant("quotes", 0, "worker"),
        OperatorConsent.NONE,
        Clock.systemUTC());
  }

  private StoragePath staged(OwnedLog owner) throws IOException {
    StagingDirectories.OfClaim claim = staging.ofClaim(owner.number(), owner.claim());
    claim.createIn(TABLE);
    StoragePath file = claim.in(TABLE).child("0b1e7a52-1.avro");
    try (OutputStream out = storage.create(file)) {
      out.write(1);
    }
    return file;
  }
}
