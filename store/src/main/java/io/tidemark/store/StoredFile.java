package io.tidemark.store;

/**
 * A file or directory in a listing; a directory has neither bytes nor a time.
 *
 * @param modifiedMs when the store had the file's last bytes, according to the store's clock, in
 *     milliseconds since 1970-01-01T00:00Z; a rename does not change it
 */
public record StoredFile(StoragePath path, boolean directory, long bytes, long modifiedMs) {

  public static StoredFile file(StoragePath path, long bytes, long modifiedMs) {
    return new StoredFile(path, false, bytes, modifiedMs);
  }

  public static StoredFile directory(StoragePath path) {
    return new StoredFile(path, true, 0, 0);
  }
}
