package io.tidemark.avro.object;

import org.jspecify.annotations.Nullable;

/**
 * The generated code for a pair of schemas and some data, once it is made. Safe for use by many
 * threads.
 *
 * @param <T> {@link ObjectReader} or {@link ObjectWriter}
 */
final class CompiledDatum<T> {
  private volatile @Nullable T code;
  private volatile @Nullable RuntimeException refusal;
  private volatile boolean asked;

  /** How often Avro's own code was used; a count of several threads may lose some. */
  private int uses;

  /** The code; null while there is none. */
  @Nullable T code() {
    return code;
  }

  void compiled(T made) {
    code = made;
  }

  /** Why there can be no code; null while none was tried or there is some. */
  @Nullable RuntimeException refusal() {
    return refusal;
  }

  void refused(RuntimeException cause) {
    refusal = cause;
  }

  /** Counts a use; whether it is the one that asks for the code to be made. */
  boolean asksAfter(int most) {
    if (asked || ++uses < most) {
      return false;
    }
    asked = true;
    return true;
  }

  /** Has the next use ask again. */
  void askAgain() {
    asked = false;
  }
}
