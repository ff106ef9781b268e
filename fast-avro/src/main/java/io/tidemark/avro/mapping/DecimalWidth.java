package io.tidemark.avro.mapping;

import io.tidemark.avro.plan.step.Conversion;
import java.util.Arrays;

/** The bytes of a decimal, a big-endian two's complement number, with another number of bytes. */
final class DecimalWidth extends Conversion {
  private final boolean fromFixed;

  /** The size of the result; 0 if it is of bytes, and as short as possible. */
  private final int fixedSize;

  private DecimalWidth(boolean fromFixed, int fixedSize) {
    super(
        "decimal "
            + (fromFixed ? "of fixed to " : "to ")
            + (fixedSize == 0 ? "bytes" : "fixed " + fixedSize));
    this.fromFixed = fromFixed;
    this.fixedSize = fixedSize;
  }

  static DecimalWidth fixedToBytes() {
    return new DecimalWidth(true, 0);
  }

  static DecimalWidth bytesToFixed(int size) {
    return new DecimalWidth(false, size);
  }

  @Override
  public int maxBytes(int length) {
    return fixedSize == 0 ? Varints.MOST_BYTES + length : fixedSize;
  }

  @Override
  public int convert(byte[] source, int from, int to, byte[] target, int at) {
    int first = fromFixed ? from : Varints.end(source, from);
    if (first == to) {
      return REFUSED;
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
        : "a decimal of " + length + " bytes does not fit into " + fixedSize;
  }
}
