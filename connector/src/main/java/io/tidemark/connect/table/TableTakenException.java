package io.tidemark.connect.table;

import io.tidemark.connect.storage.log.LogRefusedException;

/**
 * Another topic's table has the same name in the catalog, or another name and an overlapping
 * directory. The topic cannot land until an operator acts; other topics can.
 */
public final class TableTakenException extends LogRefusedException {
  private static final long serialVersionUID = 1L;

  public TableTakenException(String message) {
    super(message);
  }
}
