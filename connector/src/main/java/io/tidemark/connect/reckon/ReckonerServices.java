package io.tidemark.connect.reckon;

import io.tidemark.connect.ledger.store.LedgerFolders;
import io.tidemark.connect.ledger.store.LedgerLog;
import io.tidemark.connect.storage.Storage;
import io.tidemark.connect.storage.StoragePath;
import io.tidemark.connect.time.MonotonicClock;
import java.time.Clock;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * What a reckoner works with. It closes none of it.
 *
 * @param storage where ledger, logs and tables are
 * @param folders where the ledger is
 * @param logsRoot where the commit logs are. Example: {@code /logs}
 * @param ledger the ledger's log, in the same folders and with the same clock
 * @param kafka for snapshots
 * @param announcements on which batches are announced; empty where none are
 * @param catalog whether readers see Hive partitions; empty with {@code hive.integration=false}
 * @param announcer shows what the ledger says
 * @param clock the wall clock
 * @param monotonic for pauses
 * @param jitter for pauses after a duel
 */
public record ReckonerServices(
    Storage storage,
    LedgerFolders folders,
    StoragePath logsRoot,
    LedgerLog ledger,
    EndOffsets kafka,
    Optional<AnnouncementsTopic> announcements,
    Optional<CatalogLook> catalog,
    Announcer announcer,
    Clock clock,
    MonotonicClock monotonic,
    RandomGenerator jitter) {}
