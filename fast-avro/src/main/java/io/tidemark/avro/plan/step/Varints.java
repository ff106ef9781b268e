package io.tidemark.avro.plan.step;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Zigzag varints of valid datums, as in ints, longs and lengths. */
public final class Varints {
  public static final int MOST_BYTES = 10;

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long ENDS = 0x8080808080808080L;

  private Varints() {}

  /** Returns a number. */
  public static long read(byte[] source, int from) {
    if (from <= source.length - Long.BYTES) {
      long word = (long) LONGS.get(source, from);
      long ends = ~word & ENDS;
      if (ends != 0) {
        // The bits up to the end, without the continuation bits: 7 of 8, then 14, 28 and 56.
        long bits = word & (ends ^ (ends - 1)) & ~ENDS;
        bits = (bits & 0x007f007f007f007fL) | (bits & 0x7f007f007f007f00L) >>> 1;
        bits = (bits & 0x00003fff00003fffL) | (bits & 0x3fff00003fff0000L) >>> 2;
        bits = (bits & 0x0fffffffL) | (bits & 0x0fffffff00000000L) >>> 4;
        return bits >>> 1 ^ -(bits & 1);
      }
    }
    long raw = 0;
    int at = from;
    for (int shift = 0; ; shift += 7) {
      byte b = source[at++];
      raw |= (long) (b & 0x7f) << shift;
      if (b >= 0) {
        return raw >>> 1 ^ -(raw & 1);
      }
    }
  }

  /** Returns the position after a number. */
  public static int end(byte[] source, int from) {
    int at = from;
    while (source[at] < 0) {
      at++;
    }
    return at + 1;
  }

  /** Writes a number, and returns its end. */
  public static int write(long number, byte[] target, int at) {
    long rest = number << 1 ^ number >> 63;
    if (rest >>> 56 == 0 && at <= target.length - Long.BYTES) {
      long bits = (rest & 0x0fffffffL) | (rest & 0x00fffffff0000000L) << 4;
      bits = (bits & 0x00003fff00003fffL) | (bits & 0x0fffc0000fffc000L) << 2;
      bits = (bits & 0x007f007f007f007fL) | (bits & 0x3f803f803f803f80L) << 1;
      int before = 7 - (Long.numberOfLeadingZeros(bits | 1) >> 3);
      LONGS.set(target, at, bits | (ENDS & ((1L << (8 * before)) - 1)));
      return at + before + 1;
    }
    int end = at;
    for (; (rest & ~0x7fL) != 0; rest >>>= 7) {
      target[end++] = (byte) (rest | 0x80);
    }
    target[end++] = (byte) rest;
    return end;
  }
}
