package io.tidemark.connect.format;

import io.tidemark.connect.table.StorageFormat;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import java.util.UUID;

/**
 * A format of data files, as publishing and the catalog need to know it: a port. Implementations
 * are safe for use by many threads. {@link DataFileFactory} writes files of a format.
 */
public interface DataFormat {

  /** The name in a file's metadata of the UUID of the log entry that the file belongs to. */
  String ENTRY_KEY = "tidemark.entry";

  /** What a file's name ends in, without the dot. Example: {@code avro} */
  String extension();

  /** How Hive reads tables of such files. */
  StorageFormat storageFormat();

  /**
   * The log entry that a file belongs to, from the file's metadata; empty when the file is not one
   * of this connector's.
   *
   * @param place where the file stands, for messages
   * @throws IOException the store is away: try again
   */
  Optional<UUID> entryOf(InputStream file, String place) throws IOException;
}
