package io.tidemark.completeness.show;

import io.tidemark.completeness.ledger.HivePartitionTotal;
import io.tidemark.completeness.ledger.Manifest;
import io.tidemark.store.PrintableText;
import io.tidemark.store.PutIfAbsent;
import io.tidemark.store.Storage;
import io.tidemark.store.StoragePath;
import io.tidemark.store.log.CorruptLogException;
import io.tidemark.store.partition.HivePartition;
import io.tidemark.store.table.TableLayout;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The manifests of complete Hive partitions: files {@code _SUCCESS} in their directories.
 * Schedulers wait for these files, and Hive ignores them. A manifest has the first completion and
 * never changes. Thread-safe, also between workers.
 */
public record SuccessFiles(Storage storage) {
  private static final Logger LOG = LoggerFactory.getLogger(SuccessFiles.class);

  /** Size of a test file in bytes, about that of a manifest; space quotas count whole blocks. */
  private static final int TRIED_BYTES = 1_000;

  /**
   * Puts a manifest, unless the Hive partition has one, or has no directory: then it was removed,
   * or nothing has landed in it. Idempotent.
   *
   * @param again whether an earlier reckoner may have begun to put it: then its temporary files are
   *     removed. Only the reckoner that owns the ledger may do this
   */
  public void put(TableLayout table, Manifest manifest, boolean again) throws IOException {
    HivePartitionTotal total = manifest.completion().total();
    StoragePath directory = table.partitionDirectory(total.hivePartition());
    // For an empty Hive partition, only the table's directory is required.
    if (storage.find(total.files() == 0 ? table.root() : directory).isEmpty()) {
      LOG.info("{} is complete but has no directory, so no manifest is put", directory);
      return;
    }
    PutIfAbsent files = new PutIfAbsent(storage, directory);
    if (!files.put(Manifest.FILE_NAME, Manifest.FORMAT.write(manifest))) {
      warnIfForeign(directory, manifest);
    }
    if (again) {
      files.removeLeftovers(storage.list(directory), List.of(Manifest.FILE_NAME));
    }
  }

  /**
   * Tests whether a manifest could be put: writes a temporary file of about the same size, and
   * removes it. Throws if it could not, or if the store is unavailable.
   */
  public void tryToWrite(TableLayout table, HivePartition hivePartition) throws IOException {
    StoragePath directory = table.partitionDirectory(hivePartition);
    if (storage.find(directory).isPresent()) {
      new PutIfAbsent(storage, directory).tryToWrite(Manifest.FILE_NAME, TRIED_BYTES);
    }
  }

  /** Reads a Hive partition's manifest; empty if there is none. Rejects other and newer files. */
  public Optional<Manifest> read(StoragePath directory) throws IOException, CorruptLogException {
    return Manifest.FORMAT.find(storage, directory.child(Manifest.FILE_NAME));
  }

  /** Warns of a file of another program: with it, a scheduler does not wait for this connector. */
  private void warnIfForeign(StoragePath directory, Manifest manifest) {
    StoragePath file = directory.child(Manifest.FILE_NAME);
    String problem;
    try {
      Optional<Manifest> existing = read(directory);
      if (existing.isEmpty() || existing.get().log().equals(manifest.log())) {
        return;
      }
      problem = "is the manifest of the log " + PrintableText.line(existing.get().log());
    } catch (CorruptLogException e) {
      problem = "is not this connector's manifest: " + e.getMessage();
    } catch (IOException e) {
      return; // The store does not return the file, which is needed only for the warning.
    }
    LOG.warn(
        "{}{} {}. The file does not state that the Hive partition is complete; entry {} of the ledger {} states it. Remove the file, and let no other program write there.",
        storage.location(),
        file,
        problem,
        manifest.revision(),
        manifest.log());
  }
}
