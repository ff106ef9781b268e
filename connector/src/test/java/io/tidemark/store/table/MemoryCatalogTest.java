package io.tidemark.store.table;

class MemoryCatalogTest extends TableCatalogContract {
  @Override
  protected TableCatalog newCatalog() {
    return new MemoryCatalog();
  }

  @Override
  protected String storeLocation() {
    return "memory:";
  }
}
