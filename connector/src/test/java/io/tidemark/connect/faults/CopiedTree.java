package io.tidemark.connect.faults;

import io.tidemark.connect.storage.MemoryStorage;
import io.tidemark.connect.storage.StoragePath;
import io.tidemark.connect.storage.StoredFile;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * What lay below a directory, as somebody takes it who moves or copies directories: empty ones
 * belong to it, as the names of staging directories show how far a log has come.
 */
final class CopiedTree {
  private final StoragePath root;
  private final Set<StoragePath> directories = new LinkedHashSet<>();
  private final Map<StoragePath, byte[]> files = new LinkedHashMap<>();

  private CopiedTree(StoragePath root) {
    this.root = root;
  }

  /** Takes a copy of a directory, which may be missing. */
  static CopiedTree of(MemoryStorage storage, StoragePath root) {
    var copy = new CopiedTree(root);
    try {
      copy.take(storage, root);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    return copy;
  }

  private void take(MemoryStorage storage, StoragePath directory) throws IOException {
    for (StoredFile found : storage.list(directory)) {
      if (found.directory()) {
        directories.add(found.path());
        take(storage, found.path());
      } else {
        try (InputStream in = storage.open(found.path())) {
          files.put(found.path(), in.readAllBytes());
        }
      }
    }
  }

  boolean hasFiles() {
    return !files.isEmpty();
  }

  /** Puts the copy in the place of what lies there now. */
  void replace(MemoryStorage storage) {
    storage.deleteTree(root);
    putBeside(storage);
  }

  /** Puts the copy beside what lies there now, which stays as it is. */
  void putBeside(MemoryStorage storage) {
    try {
      storage.makeDirectories(root);
      for (StoragePath directory : directories) {
        storage.makeDirectories(directory);
      }
      for (Map.Entry<StoragePath, byte[]> file : files.entrySet()) {
        if (storage.find(file.getKey()).isEmpty()) {
          try (OutputStream out = storage.create(file.getKey())) {
            out.write(file.getValue());
          }
        }
      }
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
