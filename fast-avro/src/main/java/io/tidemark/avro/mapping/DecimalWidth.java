package io.tidemark.avro.mapping;

import io.tidemark.avro.plan.step.Conversion;
import io.tidemark.avro.plan.step.DecimalBytes;
import io.tidemark.avro.plan.step.Varints;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/** The bytes of a decimal, a big-endian two's complement number, with another number of bytes. */
final class DecimalWidth extends Conversion {
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private final boolean fromFixed;

  /** The size of the result; 0 if it is of bytes, and as short as possible. */
  private final int fixedSize;

  /** The most digits of the result; 0 if all are permitted. */
  private final int digits;

  private DecimalWidth(boolean fromFixed, int fixedSize, int digits) {
    super(
        "decimal "
            + (fromFixed ? "of fixed to " : "to ")
            + (fixedSize == 0 ? "bytes" : "fixed " + fixedSize)
            + (digits == 0 ? "" : " of " + digits + " digits"));
    this.fromFixed = fromFixed;
    this.fixedSize = fixedSize;
    this.digits = digits;
  }

  /** Returns the same conversion that rejects numbers with more digits. */
  DecimalWidth ofDigits(int most) {
    return new DecimalWidth(fromFixed, fixedSize, most);
  }

  static DecimalWidth fixedToBytes() {
    return new DecimalWidth(true, 0, 0);
  }

  static DecimalWidth bytesToFixed(int size) {
    return new DecimalWidth(false, size, 0);
  }

  @Override
  public int maxBytes(byte[] source, int from, int to) {
    return fixedSize == 0 ? Varints.MOST_BYTES + to - from : fixedSize;
  }

  @Override
  public int convert(byte[] source, int from, int to, byte[] target, int at) {
    int first = fromFixed ? from : Varints.end(source, from);
    if (first == to || (digits > 0 && !DecimalBytes.fits(source, first, to - first, digits))) {
      return REFUSED;
    }
    if (to - first <= Math.min(fixedSize, Long.BYTES)
        && fixedSize <= 2 * Long.BYTES
        && first <= source.length - Long.BYTES
        && at <= target.length - 2 * Long.BYTES) {
      // The first bytes have the sign, the last ones the number; they may overlap.
      int after = Byte.SIZE * (Long.BYTES - to + first);
      long number = (long) LONGS.get(source, first) >> after;
      int unused = Math.max(0, Long.BYTES - fixedSize);
      LONGS.set(target, at, number >> 63);
      LONGS.set(target, at + fixedSize - Long.BYTES + unused, number << (Byte.SIZE * unused));
      return at + fixedSize;
    }
    // Bytes that only repeat the sign add nothing.
    while (first < to - 1 && source[first] == source[first + 1] >> 7) {
      first++;
    }
    int length = to - first;
    int begin;
    if (fixedSize == 0) {
      begin = Varints.write(length, target, at);
    } else if (length > fixedSize) {
      return REFUSED;
    } else {
      begin = at + fixedSize - length;
      Arrays.fill(target, at, begin, (byte) (source[first] >> 7));
    }
    System.arraycopy(source, first, target, begin, length);
    return begin + length;
  }

  @Override
  public String problem(byte[] source, int from, int to) {
    int length = to - (fromFixed ? from : Varints.end(source, from));
    return length == 0
        ? "a decimal without bytes is not a number"
        : digits > 0
            ? "a decimal of %d bytes has not 1 to %d digits".formatted(length, digits)
            : "a decimal of " + length + " bytes does not fit into " + fixedSize;
  }
}
