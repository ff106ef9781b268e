package io.tidemark.avro.plan.step;

/**
 * Checks whether a floating point type represents a whole number exactly. Avro rounds other
 * numbers: {@code 9007199254740993} would become {@code 9007199254740992}.
 */
public final class ExactNumber {

  private ExactNumber() {}

  /** Returns whether a double equals the number. This is true of all numbers up to 2^53. */
  public static boolean isDouble(long number) {
    // The cast back gives Long.MAX_VALUE for 2^63, which is one more.
    return (long) (double) number == number && number != Long.MAX_VALUE;
  }

  /** Returns whether a float equals the number. This is true of all numbers up to 2^24. */
  public static boolean isFloat(long number) {
    return (long) (float) number == number && number != Long.MAX_VALUE;
  }
}
