package io.tidemark.connect.faults;

import io.tidemark.store.MemoryStorage;
import io.tidemark.store.StoragePath;
import io.tidemark.store.StoredFile;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * A copy of a directory with all files and directories in it, as a person would copy or move it.
 * Empty directories are included: the names of staging directories show the progress of a log.
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

  /** A copy of an empty directory. */
  static CopiedTree none(StoragePath root) {
    return new CopiedTree(root);
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

  /** Replaces the present content of the directory by the copy. */
  void replace(MemoryStorage storage) {
    storage.deleteTree(root);
    putBeside(storage);
  }

  /** Adds the copy to the present content of the directory, which is not changed. */
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
