package io.tidemark.store;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A copy of a failure that is safe to log with its stack trace: its message, and those of its
 * causes and suppressed exceptions, are {@linkplain PrintableText printable}. Used for failures
 * that a library created, or that have such a cause.
 */
public final class PrintableFailure extends Exception {
  private static final long serialVersionUID = 1L;

  private final String said;

  private PrintableFailure(Throwable failure, Set<Throwable> seen) {
    super(PrintableText.messageOf(failure), cause(failure.getCause(), seen));
    said = PrintableText.line(String.valueOf(failure));
    setStackTrace(failure.getStackTrace());
    for (Throwable suppressed : failure.getSuppressed()) {
      if (seen.add(suppressed)) {
        addSuppressed(new PrintableFailure(suppressed, seen));
      }
    }
  }

  /** Returns a copy, also for a caller that logs it. */
  public static PrintableFailure of(Throwable failure) {
    Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    seen.add(failure);
    return new PrintableFailure(failure, seen);
  }

  private static @Nullable PrintableFailure cause(@Nullable Throwable cause, Set<Throwable> seen) {
    return cause == null || !seen.add(cause) ? null : new PrintableFailure(cause, seen);
  }

  /** Returns the text of the original failure, with its class. */
  @SuppressWarnings("OverrideThrowableToString") // the class is to be that of the failure
  @Override
  public String toString() {
    return said;
  }
}
