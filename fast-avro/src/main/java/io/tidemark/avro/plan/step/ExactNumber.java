package io.tidemark.avro.plan.step;

/**
 * Which whole numbers a floating point type holds exactly. Avro promotes each of them, and rounds
 * those that it cannot hold: {@code 9007199254740993} would become {@code 9007199254740992}.
 */
public final class ExactNumber {

  private ExactNumber() {}

  /** Whether a double equals the number: up to 2^53 each does. */
  public static boolean isDouble(long number) {
    // The cast back takes 2^63 for the greatest long, which is one less.
    return (long) (double) number == number && number != Long.MAX_VALUE;
  }

  /** Whether a float equals the number: up to 2^24 each does. */
  public static boolean isFloat(long number) {
    return (long) (float) number == number && number != Long.MAX_VALUE;
  }
}
