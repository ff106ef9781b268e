package io.tidemark.completeness.reckon;

import io.tidemark.completeness.ledger.LedgerDirectories;
import io.tidemark.completeness.show.LedgerShow;
import io.tidemark.store.MonotonicClock;
import io.tidemark.store.Storage;
import io.tidemark.store.StoragePath;
import io.tidemark.store.TopicPartition;
import io.tidemark.store.commit.CommitLog;
import java.time.Clock;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;

/**
 * The services of a reckoner. The reckoner does not close them.
 *
 * @param logsRoot the directory of the commit logs. Example: {@code /logs}
 * @param ledger the ledger's log, in the same directories and with the same clock
 * @param announcements the topic on which batches are announced; empty if none is configured
 * @param catalog looks up whether readers see Hive partitions; empty with {@code
 *     hive.integration=false}
 * @param jitter for pauses after another reckoner has fenced this one
 */
public record ReckonerServices(
    Storage storage,
    LedgerDirectories folders,
    StoragePath logsRoot,
    LedgerLog ledger,
    EndOffsets kafka,
    Optional<AnnouncementsTopic> announcements,
    Optional<CatalogLook> catalog,
    LedgerShow show,
    Clock clock,
    MonotonicClock monotonic,
    RandomGenerator jitter,
    Executor readers) {

  /** Returns the log directory of the ledger. */
  StoragePath log() {
    return logsRoot.child(folders.logId());
  }

  CommitLog logOf(TopicPartition topicPartition) {
    return CommitLog.of(storage, logsRoot, folders.logId(), topicPartition);
  }
}
