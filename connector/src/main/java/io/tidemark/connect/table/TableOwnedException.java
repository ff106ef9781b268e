package io.tidemark.connect.table;

/** Another commit log already feeds the topic into the table. Trying again does not help. */
public final class TableOwnedException extends Exception {
  private static final long serialVersionUID = 1L;

  public TableOwnedException(String message) {
    super(message);
  }
}
