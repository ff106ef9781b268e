package io.tidemark.store;

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
