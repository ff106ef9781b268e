package io.tidemark.avro.plan.step;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.math.BigDecimal;
import java.math.BigInteger;

/**
 * The bytes of a decimal's unscaled value, a big-endian two's complement number.
 *
 * <p>To write n bytes in decimal costs time in proportion to the square of n, and a text has all
 * digits of the scale, so longer decimals and larger scales have no text here.
 */
public final class DecimalBytes {
  private static final int MOST_TEXT_BYTES = 512;
  private static final int MOST_SCALE = 1000;
  private static final byte[] NONE = new byte[0];

  private DecimalBytes() {}

  /** Returns whether the number has at most this many digits. */
  public static boolean fits(byte[] bytes, int from, int length, int digits) {
    int first = from;
    int end = from + length;
    // Bytes that only repeat the sign add nothing.
    while (first < end - 1 && bytes[first] == bytes[first + 1] >> 7) {
      first++;
    }
    // A number of n bytes is below 2^(8n - 1), and 10^d is above 2^(3.32d).
    int left = end - first;
    if (left == 0 || left > digits / 2 + 2) {
      return false;
    }
    return 8 * left - 1 <= 3.32 * digits
        || new BigInteger(bytes, first, left).abs().compareTo(BigInteger.TEN.pow(digits)) < 0;
  }

  /** Returns the most characters of a text, for a number of bytes. */
  public static int mostCharacters(int length, int scale) {
    // A byte has less than three digits; there are a sign, a point and a zero before it.
    return 3 * Math.min(length, MOST_TEXT_BYTES) + Math.min(scale, MOST_SCALE) + 3;
  }

  /**
   * Returns the decimal as text, such as {@code -12.50}; empty if its length or its scale is not
   * permitted.
   */
  public static byte[] text(byte[] bytes, int from, int length, int scale) {
    return length == 0 || length > MOST_TEXT_BYTES || scale > MOST_SCALE
        ? NONE
        : new BigDecimal(new BigInteger(bytes, from, length), scale)
            .toPlainString()
            .getBytes(US_ASCII);
  }
}
