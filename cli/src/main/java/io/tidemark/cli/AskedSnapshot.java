package io.tidemark.cli;

import io.tidemark.cli.deployment.Deployment;
import io.tidemark.completeness.decide.Ledger;
import io.tidemark.completeness.ledger.TableState;
import io.tidemark.completeness.ledger.TopicState;
import io.tidemark.completeness.reckon.SnapshotRequests;
import io.tidemark.store.Storage;
import io.tidemark.store.StoragePath;
import io.tidemark.store.StoredFile;
import io.tidemark.store.log.CorruptLogException;
import java.io.IOException;
import java.time.Instant;
import java.util.stream.LongStream;

/**
 * A snapshot that the command has requested. The numbers of the ledger's entries decide which
 * snapshot answers the request, not clocks: the clock of this machine may differ by hours from the
 * connector's. Used by one thread.
 */
final class AskedSnapshot {
  private final Storage storage;
  private final StoragePath request;
  private final long entryBefore;
  private final Instant at;

  /** The entry of the snapshot; 0 until it is known. */
  private long snapshot;

  private AskedSnapshot(Storage storage, StoragePath request, long entryBefore, Instant at) {
    this.storage = storage;
    this.request = request;
    this.entryBefore = entryBefore;
    this.at = at;
  }

  /** Requests a snapshot; {@code now} is the time of this machine's clock. */
  static AskedSnapshot ask(Deployment deployment, Console console, Instant now)
      throws IOException, CorruptLogException {
    long before = deployment.ledger(deployment.folders().logId(), console.clock()).read().number();
    StoragePath request =
        new SnapshotRequests(deployment.storage(), deployment.folders())
            .request("tidemark wait --now", now);
    Instant at =
        deployment
            .storage()
            .find(request)
            .map(StoredFile::modifiedMs)
            .map(Instant::ofEpochMilli)
            .orElse(now);
    return new AskedSnapshot(deployment.storage(), request, before, at);
  }

  /** Returns the time of the request, according to the store's clock. */
  Instant at() {
    return at;
  }

  /**
   * Returns whether the snapshot was taken. The connector removes the request after the snapshot,
   * so a ledger that is read later contains the snapshot.
   */
  boolean taken() throws IOException {
    return storage.find(request).isEmpty();
  }

  /**
   * Returns whether all topics of a table cover the snapshot.
   *
   * @param ledger the ledger, read after {@link #taken} returned true
   */
  boolean isCovered(Ledger ledger, String table) {
    if (snapshot == 0) {
      long newest =
          LongStream.concat(
                  ledger.state().pending().stream().mapToLong(Long::longValue),
                  ledger.state().topics().values().stream().mapToLong(TopicState::snapshot))
              .max()
              .orElse(0);
      snapshot = newest > entryBefore ? newest : 0;
    }
    TableState state = ledger.state().tables().get(table);
    return snapshot > 0
        && state != null
        && !state.topics().isEmpty()
        && state.topics().stream()
            .allMatch(topic -> ledger.state().topic(topic).snapshot() >= snapshot);
  }
}
