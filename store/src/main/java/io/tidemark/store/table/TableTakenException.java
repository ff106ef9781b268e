package io.tidemark.store.table;

import io.tidemark.store.log.LogRefusedException;

/**
 * Reports that another topic's table has the same name in the catalog, or an overlapping directory.
 * Records of the topic cannot land until an operator acts; other topics are not affected.
 */
public final class TableTakenException extends LogRefusedException {
  private static final long serialVersionUID = 1L;

  public TableTakenException(String message) {
    super(message);
  }
}
