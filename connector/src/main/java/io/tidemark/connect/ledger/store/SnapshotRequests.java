package io.tidemark.connect.ledger.store;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidemark.connect.storage.PutIfAbsent;
import io.tidemark.connect.storage.Storage;
import io.tidemark.connect.storage.StoragePath;
import io.tidemark.connect.storage.StoredFile;
import java.io.IOException;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Requests for a snapshot at once, each a file that the reckoner removes once a snapshot stands
 * that was taken after it saw the request. Safe for use by many threads and processes.
 *
 * <p>Example: {@code /ledger/logs/sales/requests/01795248014445-8c6d8dc8-….json} with {@code
 * {"version":1,"requester":"ann@host"}}
 */
public final class SnapshotRequests {
  private static final Logger LOG = LoggerFactory.getLogger(SnapshotRequests.class);
  private static final int VERSION = 1;
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Pattern NAME = Pattern.compile("\\d{14,}-[0-9a-f-]{36}\\.json");

  private final Storage storage;
  private final StoragePath directory;

  /** The requests of one log's ledger. */
  public SnapshotRequests(Storage storage, LedgerFolders folders) {
    this.storage = storage;
    this.directory = folders.requests();
  }

  /**
   * Asks for a snapshot. What it shows is complete when the table is complete through the present
   * time less the lateness, or later.
   *
   * @param requester for people
   * @param now for the request's name
   * @return the file, which is gone once a snapshot was taken
   */
  public StoragePath request(String requester, Instant now) throws IOException {
    String name =
        String.format(
            Locale.ROOT, "%014d-%s.json", Math.max(0, now.toEpochMilli()), UUID.randomUUID());
    byte[] text =
        JSON.writeValueAsBytes(
            JSON.createObjectNode().put("version", VERSION).put("requester", requester));
    if (!new PutIfAbsent(storage, directory).put(name, text)) {
      throw new IOException(
          "%s%s: the request was not put, because its directory was removed meanwhile. Ask again."
              .formatted(storage.location(), directory.child(name)));
    }
    return directory.child(name);
  }

  /** The requests that stand. */
  public List<StoragePath> standing() throws IOException {
    return storage.list(directory).stream()
        .filter(file -> !file.directory())
        .map(StoredFile::path)
        .filter(path -> NAME.matcher(path.name()).matches())
        .toList();
  }

  /** Removes requests that a snapshot has answered. */
  public void remove(Collection<StoragePath> requests) throws IOException {
    for (StoragePath request : requests) {
      if (storage.delete(request)) {
        LOG.info("{} is answered by a snapshot", request);
      }
    }
  }
}
