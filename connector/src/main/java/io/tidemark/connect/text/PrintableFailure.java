package io.tidemark.connect.text;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A failure as it may stand in the log with its stack trace: what it, its causes and what they
 * suppressed say is {@linkplain PrintableText printable}. For a failure that a library has made, or
 * that has one as a cause.
 */
public final class PrintableFailure extends Exception {
  private static final long serialVersionUID = 1L;

  private final String said;

  private PrintableFailure(Throwable failure, Set<Throwable> seen) {
    super(PrintableText.messageOf(failure), cause(failure.getCause(), seen));
    said = PrintableText.of(failure);
    setStackTrace(failure.getStackTrace());
    for (Throwable suppressed : failure.getSuppressed()) {
      if (seen.add(suppressed)) {
        addSuppressed(new PrintableFailure(suppressed, seen));
      }
    }
  }

  /** The failure in a form that may be logged, or thrown to who will log it. */
  public static PrintableFailure of(Throwable failure) {
    Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    seen.add(failure);
    return new PrintableFailure(failure, seen);
  }

  private static @Nullable PrintableFailure cause(@Nullable Throwable cause, Set<Throwable> seen) {
    return cause == null || !seen.add(cause) ? null : new PrintableFailure(cause, seen);
  }

  /** What the failure itself says, its class included. */
  @SuppressWarnings("OverrideThrowableToString") // the class is to be that of the failure
  @Override
  public String toString() {
    return said;
  }
}
