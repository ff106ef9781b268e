package io.tidemark.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalStorageTest extends StorageContract {
  @TempDir Path root;

  @Override
  protected Storage newStorage() throws IOException {
    return new LocalStorage(root);
  }

  @Override
  protected int rounds() {
    return 50;
  }

  @Test
  void locationIsTheUriOfTheRoot() throws IOException {
    try (Storage storage = new LocalStorage(root.resolve("store"))) {
      assertThat(storage.location()).isEqualTo("file://" + root.resolve("store"));
    }
  }

  @Test
  void pathsCannotLeaveTheRoot() throws IOException {
    try (Storage storage = new LocalStorage(root.resolve("store"))) {
      assertThatThrownBy(() -> storage.delete(new StoragePath("/../other")))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }
}
