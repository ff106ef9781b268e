package io.tidemark.store.publish;

import io.tidemark.store.Storage;
import io.tidemark.store.commit.CommitEntry;
import io.tidemark.store.log.CorruptLogException;
import io.tidemark.store.log.NumberedEntry;
import io.tidemark.store.table.DataFile;
import io.tidemark.store.table.TableLayout;
import io.tidemark.store.table.TableSchemas;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Checks that tables still have the stored schemas of their files. If the newest schema was
 * removed, the previous one would become the newest, and readers would miss columns. Thread-safe.
 */
public final class StoredSchemaCheck {
  private final Storage storage;
  private final Map<TableLayout, Integer> seen = new ConcurrentHashMap<>();

  public StoredSchemaCheck(Storage storage) {
    this.storage = storage;
  }

  /** Fails if files in {@code present} tables were written with a schema that is missing. */
  public void require(List<NumberedEntry<CommitEntry>> batches, Collection<TableLayout> present)
      throws IOException, CorruptLogException {
    for (NumberedEntry<CommitEntry> entry : batches) {
      for (CommitEntry.Batch batch : entry.entry().asBatch().stream().toList()) {
        for (DataFile file : batch.files()) {
          require(entry.number(), batch, file, present);
        }
      }
    }
  }

  private void require(
      long number, CommitEntry.Batch batch, DataFile file, Collection<TableLayout> present)
      throws IOException, CorruptLogException {
    TableLayout layout = batch.layoutOf(file);
    if (!present.contains(layout) || seen.getOrDefault(layout, 0) >= file.schemaVersion()) {
      return;
    }
    TableSchemas schemas = new TableSchemas(storage, layout);
    int newest = schemas.newestVersion();
    if (newest < file.schemaVersion()) {
      throw new CorruptLogException(
          "%s is missing, and %s: log entry %d has the file %s of that version. The schema was removed. Restore it from a copy. If there is none, create it from the header of that file or of another file of its version (avro-tools getschema)."
              .formatted(
                  schemas.place(file.schemaVersion()),
                  newest == 0 ? "the table has no other" : "the newest is version " + newest,
                  number,
                  file.path()));
    }
    seen.put(layout, newest);
  }
}
