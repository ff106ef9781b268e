package io.tidemark.store.table;

import io.tidemark.store.log.LogRefusedException;

/** Another log directory owns the topic in the table. A retry does not help. */
public final class TableOwnedException extends LogRefusedException {
  private static final long serialVersionUID = 1L;

  public TableOwnedException(String message) {
    super(message);
  }
}
