package io.tidemark.connect.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.connect.commit.CommitLog;
import io.tidemark.connect.commit.OwnedLog;
import io.tidemark.connect.commit.entry.Claimant;
import io.tidemark.connect.commit.entry.TopicIdentity;
import io.tidemark.connect.publish.Publisher;
import io.tidemark.connect.staging.StagingDirectories;
import io.tidemark.connect.storage.MemoryStorage;
import io.tidemark.connect.storage.StoragePath;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Clock;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class RecoveryTest {
  private static final TopicPartition QUOTES = new TopicPartition("quotes", 3);

  private final MemoryStorage storage = new MemoryStorage();
  private final CommitLog log = CommitLog.of(storage, new StoragePath("/logs"), "quotes", QUOTES);
  private final StagingDirectories staging =
      new StagingDirectories(new StoragePath("/topics/quotes/.staging"), "quotes", QUOTES);
  private final Recovery recovery = new Recovery(storage, new Publisher(storage));

  @Test
  void stagedFilesOfEarlierClaimsAreRemoved() throws Exception {
    StoragePath left = staged(claim());
    OwnedLog next = claim();

    recovery.recover(next, staging);

    assertThat(storage.find(left)).isEmpty();
    assertThat(storage.find(left.parent())).isEmpty();
  }

  @Test
  void ownerThatSleptSinceItsClaimLeavesTheNextOwnersStagedFiles() throws Exception {
    OwnedLog zombie = claim();
    StoragePath committedSoon = staged(claim());

    recovery.recover(zombie, staging);

    assertThat(storage.find(committedSoon)).isPresent();
  }

  private OwnedLog claim() throws Exception {
    return OwnedLog.claim(
        log,
        () -> new TopicIdentity("cluster", "topic"),
        new Claimant("quotes", 0, "worker"),
        Clock.systemUTC());
  }

  private StoragePath staged(OwnedLog owner) throws IOException {
    StoragePath file =
        staging.create(storage, owner.number(), owner.claim()).child("0b1e7a52-1.avro");
    try (OutputStream out = storage.create(file)) {
      out.write(1);
    }
    return file;
  }
}
