package io.tidemark.avro.mapping;

import io.tidemark.avro.plan.step.Conversion;
import io.tidemark.avro.plan.step.Varints;

/**
 * A number of milliseconds, microseconds or nanoseconds in another of these units. The result is
 * exact, or rounded down if that is permitted, so a time before 1970 never becomes a later one.
 */
final class Rescaled extends Conversion {
  private final String units;
  private final long factor;
  private final boolean multiply;
  private final boolean toInt;
  private final boolean truncate;

  /**
   * @param digits how many more decimal digits the result has; may be negative
   * @param toInt whether the result is an int
   */
  Rescaled(String from, String to, int digits, boolean toInt, boolean truncate) {
    super(from + " to " + to + (truncate ? ", rounded down" : ""));
    units = from + " to " + to;
    factor = (long) Math.pow(10, Math.abs(digits));
    multiply = digits > 0;
    this.toInt = toInt;
    this.truncate = truncate;
  }

  @Override
  public int maxBytes(byte[] source, int from, int to) {
    return Varints.MOST_BYTES;
  }

  @Override
  public int convert(byte[] source, int from, int to, byte[] target, int at) {
    long number = Varints.read(source, from);
    long result;
    if (multiply) {
      result = number * factor;
      if (Math.multiplyHigh(number, factor) != result >> 63) {
        return REFUSED;
      }
    } else {
      // A division by a constant is a multiplication.
      result = factor == 1_000 ? Math.floorDiv(number, 1_000) : Math.floorDiv(number, factor);
      if (!truncate && result * factor != number) {
        return REFUSED;
      }
    }
    return toInt && result != (int) result ? REFUSED : Varints.write(result, target, at);
  }

  @Override
  public String problem(byte[] source, int from, int to) {
    return "the number "
        + Varints.read(source, from)
        + " cannot be converted from "
        + units
        + " exactly";
  }
}
