package io.tidemark.store.table;

import io.tidemark.store.log.LogRefusedException;

/** Another topic's table has the same name in the catalog, or an overlapping directory. */
public final class TableTakenException extends LogRefusedException {
  private static final long serialVersionUID = 1L;

  public TableTakenException(String message) {
    super(message);
  }
}
