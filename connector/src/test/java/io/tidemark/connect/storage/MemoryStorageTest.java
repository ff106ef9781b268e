package io.tidemark.connect.storage;

class MemoryStorageTest extends StorageContract {
  @Override
  protected Storage newStorage() {
    return new MemoryStorage();
  }

  @Override
  protected int rounds() {
    return 1_000;
  }
}
