package io.tidemark.connect.table;

import io.tidemark.connect.storage.log.LogRefusedException;

/**
 * The table of another topic has the same name in the catalog, or another name and the same
 * directory. The topic cannot land until an operator has acted; other topics can.
 */
public final class TableTakenException extends LogRefusedException {
  private static final long serialVersionUID = 1L;

  public TableTakenException(String message) {
    super(message);
  }
}
