package io.tidemark.store.file;

import io.tidemark.store.table.StorageFormat;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import java.util.UUID;

/** A format of data files; {@link DataFileFactory} writes them. Thread-safe. */
public interface DataFormat {

  /** The metadata key of the UUID of a file's log entry. */
  String ENTRY_KEY = "tidemark.entry";

  /** Without the dot. Example: {@code avro} */
  String extension();

  StorageFormat storageFormat();

  /**
   * Returns the UUID of the log entry in the file's metadata; empty if the connector did not write
   * the file. {@code place} is for messages.
   */
  Optional<UUID> entryOf(InputStream file, String place) throws IOException;
}
