package io.tidemark.connect.pipeline;

import io.tidemark.store.Storage;
import io.tidemark.store.StoragePath;
import io.tidemark.store.StoredFile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** All files of a store, to check that there are no unexpected ones. */
final class StoredTree {
  private StoredTree() {}

  /** The paths of all files. */
  static List<String> files(Storage storage) throws IOException {
    List<String> found = new ArrayList<>();
    collect(storage, new StoragePath("/"), found);
    return found;
  }

  private static void collect(Storage storage, StoragePath directory, List<String> found)
      throws IOException {
    for (StoredFile file : storage.list(directory)) {
      if (file.directory()) {
        collect(storage, file.path(), found);
      } else {
        found.add(file.path().value());
      }
    }
  }
}
