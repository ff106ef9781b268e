package io.tidemark.connect.table;

import io.tidemark.connect.storage.log.LogRefusedException;

/**
 * Reports that another log directory owns the topic in the table. A retry does not help: the task
 * fails.
 */
public final class TableOwnedException extends LogRefusedException {
  private static final long serialVersionUID = 1L;

  public TableOwnedException(String message) {
    super(message);
  }
}
