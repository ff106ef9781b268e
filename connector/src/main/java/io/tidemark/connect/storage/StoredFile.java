package io.tidemark.connect.storage;

/**
 * A file or directory as a listing shows it.
 *
 * @param bytes its length; 0 for a directory
 * @param modifiedMs when the store had the file's last bytes, by the store's own clock, in
 *     milliseconds since 1970-01-01T00:00Z; a rename leaves it as it is. 0 for a directory
 */
public record StoredFile(StoragePath path, boolean directory, long bytes, long modifiedMs) {

  /** A file. */
  public static StoredFile file(StoragePath path, long bytes, long modifiedMs) {
    return new StoredFile(path, false, bytes, modifiedMs);
  }

  /** A directory. */
  public static StoredFile directory(StoragePath path) {
    return new StoredFile(path, true, 0, 0);
  }
}
