package io.tidemark.avro.plan.step;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * A number as a float or double. Int to long and string to bytes need no change of bytes.
 *
 * <p>A number that the type does not represent exactly is rejected, or becomes the nearest one, as
 * in Avro's library, where {@code 9007199254740993} becomes {@code 9007199254740992}.
 */
public final class Promotion extends Conversion {
  private static final VarHandle INTS =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private final String from;
  private final String to;
  private final boolean rounds;
  private final boolean isFloat;
  private final boolean toDouble;

  /**
   * @param from the type of the number: int, long, or float if it becomes a double
   * @param to float or double
   * @param rounds whether a number may become the nearest one
   */
  public Promotion(String from, String to, boolean rounds) {
    super(from + " to " + (rounds ? "the nearest " : "") + to);
    this.from = from;
    this.to = to;
    this.rounds = rounds;
    isFloat = from.equals("float");
    toDouble = to.equals("double");
  }

  /** Returns the same promotion that rejects no number. */
  public Promotion rounded() {
    return new Promotion(from, to, true);
  }

  /** Returns the size of the result in bytes. */
  public int size() {
    return toDouble ? Double.BYTES : Float.BYTES;
  }

  @Override
  public int maxBytes(byte[] source, int begin, int end) {
    return Double.BYTES;
  }

  @Override
  public int convert(byte[] source, int begin, int end, byte[] target, int at) {
    if (isFloat) {
      double number = Float.intBitsToFloat((int) INTS.get(source, begin));
      LONGS.set(target, at, Double.doubleToRawLongBits(number));
      return at + Double.BYTES;
    }
    long number = Varints.read(source, begin);
    // The cast back gives Long.MAX_VALUE for 2^63, which is one more.
    long back = toDouble ? (long) (double) number : (long) (float) number;
    if (!rounds && (back != number || number == Long.MAX_VALUE)) {
      return REFUSED;
    }
    if (toDouble) {
      LONGS.set(target, at, Double.doubleToRawLongBits((double) number));
    } else {
      INTS.set(target, at, Float.floatToRawIntBits((float) number));
    }
    return at + size();
  }

  @Override
  public String problem(byte[] source, int begin, int end) {
    return from + " " + Varints.read(source, begin) + " cannot be converted to " + to + " exactly";
  }
}
