package io.tidemark.cli;

import io.tidemark.cli.deployment.Deployment;
import io.tidemark.connect.ledger.Ledger;
import io.tidemark.connect.ledger.state.TableState;
import io.tidemark.connect.ledger.state.TopicState;
import io.tidemark.connect.ledger.store.SnapshotRequests;
import io.tidemark.connect.storage.Storage;
import io.tidemark.connect.storage.StoragePath;
import io.tidemark.connect.storage.StoredFile;
import io.tidemark.connect.storage.log.CorruptLogException;
import java.io.IOException;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.LongStream;

/**
 * A requested snapshot. It is recognised by the numbers of the ledger's entries, because the clock
 * of this machine may differ from the connector's by hours. Used by one thread.
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

  /**
   * Requests a snapshot.
   *
   * @param now the time, by the clock of this machine
   */
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

  /** Returns the time of the request, by the store's clock. */
  Instant at() {
    return at;
  }

  /**
   * Returns whether it was taken. The connector deletes the request after the snapshot, so a ledger
   * that is read after this call contains the snapshot.
   */
  boolean taken() throws IOException {
    return storage.find(request).isEmpty();
  }

  /**
   * Returns whether all topics of a table cover it.
   *
   * @param ledger the ledger, read after the snapshot was {@link #taken}
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
    Optional<TableState> state = Optional.ofNullable(ledger.state().tables().get(table));
    return snapshot > 0
        && state
            .filter(known -> !known.topics().isEmpty())
            .filter(
                known ->
                    known.topics().stream()
                        .map(
                            topic ->
                                ledger.state().topics().getOrDefault(topic, TopicState.unknown()))
                        .allMatch(topic -> topic.snapshot() >= snapshot))
            .isPresent();
  }
}
