package io.tidemark.completeness.reckon;

import io.tidemark.completeness.ledger.LedgerDirectories;
import io.tidemark.store.Mailbox;
import io.tidemark.store.PrintableText;
import io.tidemark.store.Storage;
import io.tidemark.store.StoragePath;
import io.tidemark.store.StoredFile;
import io.tidemark.store.log.JsonFormat;
import java.io.IOException;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Requests for an immediate snapshot. Each request is a file. The reckoner reads the request,
 * appends a snapshot, and then removes the file. Safe for use by many threads and processes.
 *
 * <p>Example: {@code /ledger/logs/sales/requests/01795248014445-8c6d8dc8-….json} with {@code
 * {"version":1,"requester":"ann"}}
 */
public final class SnapshotRequests {
  private static final Logger LOG = LoggerFactory.getLogger(SnapshotRequests.class);
  private static final JsonFormat<Request> FORMAT =
      JsonFormat.fixed("the request for a snapshot", Request.class);

  private record Request(String requester) {}

  private final Mailbox files;

  /** Requests that could not be removed after their snapshot was taken. */
  private final Set<StoragePath> answered = ConcurrentHashMap.newKeySet();

  public SnapshotRequests(Storage storage, LedgerDirectories folders) {
    this.files = new Mailbox(storage, folders.requests());
  }

  /**
   * Requests a snapshot, whose time is the present time minus the lateness, or later. Returns a
   * file, which is removed once the snapshot was taken.
   */
  public StoragePath request(String requester, Instant now) throws IOException {
    return files.put(now, FORMAT.write(new Request(requester)));
  }

  public List<StoragePath> pending() throws IOException {
    List<StoragePath> existing = files.list().stream().map(StoredFile::path).toList();
    answered.retainAll(existing);
    return existing.stream().filter(request -> !answered.contains(request)).toList();
  }

  /**
   * Removes requests after their snapshot was taken. A request that cannot be removed is ignored
   * after that: another user may own the directory, and the reckoner must continue.
   */
  public void remove(Collection<StoragePath> requests) {
    for (StoragePath request : requests) {
      try {
        files.storage().delete(request);
        LOG.info("{}: the request is answered by a snapshot", request);
      } catch (IOException e) {
        answered.add(request);
        LOG.warn(
            "{}: the request is answered by a snapshot and cannot be removed: {}. It requests another snapshot when the connector is restarted. Remove the request, and give the connector's user permission to write to its directory.",
            files.storage().location() + request,
            PrintableText.messageOf(e));
      }
    }
  }
}
