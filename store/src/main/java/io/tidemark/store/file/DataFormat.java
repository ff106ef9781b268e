package io.tidemark.store.file;

import io.tidemark.store.table.StorageFormat;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import java.util.UUID;

/**
 * A format of data files: the port for publishing and the catalog. {@link DataFileFactory} writes
 * files of a format. Implementations are thread-safe.
 */
public interface DataFormat {

  /** The metadata key of the UUID of a file's log entry. */
  String ENTRY_KEY = "tidemark.entry";

  /** Returns the extension of file names, without the dot. Example: {@code avro} */
  String extension();

  /** Returns the classes with which Hive reads files of this format. */
  StorageFormat storageFormat();

  /**
   * Returns the UUID of a file's log entry from the file's metadata; empty if the connector did not
   * write the file.
   *
   * @param place the file's location, for messages
   * @throws IOException the store is unavailable: retry
   */
  Optional<UUID> entryOf(InputStream file, String place) throws IOException;
}
