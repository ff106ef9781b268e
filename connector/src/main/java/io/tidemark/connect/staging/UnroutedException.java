package io.tidemark.connect.staging;

/** Reports that no routing rule applies to the records of a topic or of a schema. */
public final class UnroutedException extends Exception {
  private static final long serialVersionUID = 1L;

  private final boolean deadLetters;

  UnroutedException(String reason, boolean deadLetters) {
    super(reason);
    this.deadLetters = deadLetters;
  }

  /** Returns whether such records become dead letters. If not, their topic is refused. */
  public boolean deadLetters() {
    return deadLetters;
  }
}
