package io.tidemark.connect.announce;

import io.tidemark.connect.ledger.entry.Completion;
import io.tidemark.connect.ledger.entry.Manifest;
import io.tidemark.connect.ledger.entry.ManifestFormat;
import io.tidemark.connect.storage.PutIfAbsent;
import io.tidemark.connect.storage.Storage;
import io.tidemark.connect.storage.StoragePath;
import io.tidemark.connect.storage.log.CorruptLogException;
import io.tidemark.connect.table.TableLayout;
import io.tidemark.connect.table.partition.HivePartition;
import io.tidemark.connect.text.PrintableText;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The manifests of complete Hive partitions: {@code _SUCCESS} in their directories, which Hive does
 * not see and for which schedulers wait. A manifest has the first completion and never changes.
 * Safe for use by many threads, reckoners and workers.
 */
public final class SuccessFiles {
  private static final Logger LOG = LoggerFactory.getLogger(SuccessFiles.class);

  /** About as much as a manifest has: a quota of space counts whole blocks anyway. */
  private static final int TRIED_BYTES = 1_000;

  private final Storage storage;

  public SuccessFiles(Storage storage) {
    this.storage = storage;
  }

  /** What became of a manifest. */
  public enum Outcome {
    /** It stands, put by this call. */
    PUT,
    /** Another one stood there: the Hive partition's first completion was shown before. */
    STOOD,
    /** The Hive partition has no directory. It was removed, or nothing has landed in it. */
    NO_DIRECTORY
  }

  /**
   * Puts a manifest, unless the Hive partition has one. Idempotent.
   *
   * @throws IOException the store is away: try again
   */
  public Outcome put(TableLayout table, Manifest manifest) throws IOException {
    StoragePath directory = directory(table, manifest);
    if (isGone(table, directory, manifest)) {
      LOG.info("{} is complete and has no directory, so no manifest is put", directory);
      return Outcome.NO_DIRECTORY;
    }
    byte[] text = ManifestFormat.write(manifest);
    if (new PutIfAbsent(storage, directory).put(ManifestFormat.FILE_NAME, text)) {
      return Outcome.PUT;
    }
    warnUnlessOurs(directory, manifest);
    return Outcome.STOOD;
  }

  /**
   * As {@link #put}, for a completion that an earlier reckoner may have begun to show: what it left
   * is removed. To be called by the reckoner that has the ledger.
   */
  public Outcome putAgain(TableLayout table, Manifest manifest) throws IOException {
    Outcome outcome = put(table, manifest);
    if (outcome != Outcome.NO_DIRECTORY) {
      StoragePath directory = directory(table, manifest);
      new PutIfAbsent(storage, directory)
          .removeLeftovers(storage.list(directory), List.of(ManifestFormat.FILE_NAME));
    }
    return outcome;
  }

  /**
   * Tries whether a manifest could be put: writes as much under a temporary name, and removes it.
   *
   * @throws IOException it could not, or the store is away
   */
  public void tryToWrite(TableLayout table, HivePartition hivePartition) throws IOException {
    StoragePath directory = table.partitionDirectory(hivePartition);
    if (storage.find(directory).isPresent()) {
      new PutIfAbsent(storage, directory).tryToWrite(ManifestFormat.FILE_NAME, TRIED_BYTES);
    }
  }

  /**
   * The manifest of a Hive partition.
   *
   * @return empty where there is none
   * @throws CorruptLogException what stands there is no manifest, or one of a newer version
   */
  public Optional<Manifest> read(StoragePath directory) throws IOException, CorruptLogException {
    StoragePath file = directory.child(ManifestFormat.FILE_NAME);
    try (InputStream in = storage.open(file)) {
      return Optional.of(ManifestFormat.read(in.readAllBytes(), storage.location() + file));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
  }

  /** One without records may have lost its directory; its table must be there. */
  private boolean isGone(TableLayout table, StoragePath directory, Manifest manifest)
      throws IOException {
    boolean made = manifest.completion().total().files() == 0;
    return storage.find(made ? table.root() : directory).isEmpty();
  }

  /** A scheduler that waits for another program's file has not waited for this connector. */
  private void warnUnlessOurs(StoragePath directory, Manifest manifest) throws IOException {
    StoragePath file = directory.child(ManifestFormat.FILE_NAME);
    String problem;
    try {
      Optional<Manifest> standing = read(directory);
      if (standing.isEmpty() || standing.get().log().equals(manifest.log())) {
        return;
      }
      problem = "is the manifest of the log " + PrintableText.line(standing.get().log());
    } catch (CorruptLogException e) {
      problem = "is not this connector's manifest: " + e.getMessage();
    }
    LOG.warn(
        "{}{} {}. The Hive partition is complete by entry {} of the ledger {}, which the file does not say. Remove the file, and let no other program write there.",
        storage.location(),
        file,
        problem,
        manifest.revision(),
        manifest.log());
  }

  private static StoragePath directory(TableLayout table, Manifest manifest) {
    Completion completion = manifest.completion();
    return table.partitionDirectory(completion.total().hivePartition());
  }
}
