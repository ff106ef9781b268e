package io.tidemark.connect.table;

import io.tidemark.connect.storage.log.LogRefusedException;

/**
 * The table of another topic has the same name in the catalog. The topic cannot land until an
 * operator has acted; other topics can.
 */
public final class TableNameTakenException extends LogRefusedException {
  private static final long serialVersionUID = 1L;

  public TableNameTakenException(String message) {
    super(message);
  }
}
