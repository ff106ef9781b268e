package io.tidemark.avro.mapping;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Bytes as hexadecimal digits. */
final class HexDigits {
  private static final VarHandle SHORTS =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);
  private static final String DIGITS = "0123456789abcdef";

  /** The two digits of each byte. */
  private static final short[] PAIRS = new short[1 << Byte.SIZE];

  static {
    for (int i = 0; i < PAIRS.length; i++) {
      PAIRS[i] = (short) (DIGITS.charAt(i >> 4) | DIGITS.charAt(i & 0xf) << Byte.SIZE);
    }
  }

  private HexDigits() {}

  /** Writes the digits of some bytes, and returns their end. */
  static int write(byte[] source, int from, int count, byte[] target, int at) {
    for (int i = 0; i < count; i++) {
      SHORTS.set(target, at + 2 * i, PAIRS[source[from + i] & 0xff]);
    }
    return at + 2 * count;
  }
}
