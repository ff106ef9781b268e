package io.tidemark.connect.ledger.store;

import io.tidemark.connect.storage.PutIfAbsent;
import io.tidemark.connect.storage.Storage;
import io.tidemark.connect.storage.StoragePath;
import io.tidemark.connect.storage.StoredFile;
import io.tidemark.connect.storage.log.JsonFormat;
import io.tidemark.connect.text.PrintableText;
import java.io.IOException;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Requests for an immediate snapshot. Each request is a file. The reckoner reads the request,
 * appends a snapshot, and then removes the file. Safe for use by many threads and processes.
 *
 * <p>Example: {@code /ledger/logs/sales/requests/01795248014445-8c6d8dc8-….json} with {@code
 * {"version":1,"requester":"ann@host"}}
 */
public final class SnapshotRequests {
  private static final Logger LOG = LoggerFactory.getLogger(SnapshotRequests.class);
  private static final JsonFormat<Request> FORMAT =
      JsonFormat.fixed("the request for a snapshot", Request.class);
  private static final Pattern NAME = Pattern.compile("\\d{14,}-[0-9a-f-]{36}\\.json");

  /** The content of a file. */
  private record Request(String requester) {}

  private final Storage storage;
  private final StoragePath directory;

  /** Requests that could not be removed after their snapshot was taken. */
  private final Set<StoragePath> answered = ConcurrentHashMap.newKeySet();

  /** Creates access to the requests of one ledger. */
  public SnapshotRequests(Storage storage, LedgerFolders folders) {
    this.storage = storage;
    this.directory = folders.requests();
  }

  /**
   * Requests a snapshot. The snapshot's time is the present time minus the lateness, or later.
   *
   * @param requester the name of the requester, for people
   * @param now the time for the file's name
   * @return the file, which is removed once a snapshot was taken
   */
  public StoragePath request(String requester, Instant now) throws IOException {
    String name =
        String.format(
            Locale.ROOT, "%014d-%s.json", Math.max(0, now.toEpochMilli()), UUID.randomUUID());
    byte[] text = FORMAT.write(new Request(requester));
    if (!new PutIfAbsent(storage, directory).put(name, text)) {
      throw new IOException(
          "%s%s: the request was not put, because its directory was removed meanwhile. Repeat the request."
              .formatted(storage.location(), directory.child(name)));
    }
    return directory.child(name);
  }

  /** Returns the requests for which no snapshot was taken. */
  public List<StoragePath> pending() throws IOException {
    List<StoragePath> existing =
        storage.list(directory).stream()
            .filter(file -> !file.directory())
            .map(StoredFile::path)
            .filter(path -> NAME.matcher(path.name()).matches())
            .toList();
    answered.retainAll(existing);
    return existing.stream().filter(request -> !answered.contains(request)).toList();
  }

  /**
   * Removes requests after their snapshot was taken. A request that cannot be removed is ignored
   * after that: if another user owns the directory, the reckoner has no permission to delete files
   * in it, and must continue.
   */
  public void remove(Collection<StoragePath> requests) {
    for (StoragePath request : requests) {
      try {
        if (storage.delete(request)) {
          LOG.info("{}: the request is answered by a snapshot", request);
        }
      } catch (IOException e) {
        answered.add(request);
        LOG.warn(
            "{}{}: the request is answered by a snapshot and cannot be removed: {}. It requests another snapshot when the connector is restarted. Remove the request, and give the connector's user permission to write to its directory.",
            storage.location(),
            request,
            PrintableText.messageOf(e));
      }
    }
  }
}
