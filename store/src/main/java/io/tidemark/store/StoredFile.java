package io.tidemark.store;

/**
 * A file or directory in a listing; a directory has no bytes.
 *
 * @param modifiedMs when the store had the file's last bytes, or when something was last created,
 *     renamed or removed in the directory, not in those below; according to the store's clock, in
 *     milliseconds since 1970-01-01T00:00Z. The file's own rename does not change it
 */
public record StoredFile(StoragePath path, boolean directory, long bytes, long modifiedMs) {

  public static StoredFile file(StoragePath path, long bytes, long modifiedMs) {
    return new StoredFile(path, false, bytes, modifiedMs);
  }

  public static StoredFile directory(StoragePath path, long modifiedMs) {
    return new StoredFile(path, true, 0, modifiedMs);
  }
}
