package io.tidemark.avro.mapping;

/** Zigzag varints of valid datums, as in ints, longs and lengths. */
final class Varints {
  static final int MOST_BYTES = 10;

  private Varints() {}

  static long read(byte[] source, int from) {
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
  static int end(byte[] source, int from) {
    int at = from;
    while (source[at] < 0) {
      at++;
    }
    return at + 1;
  }

  /** Writes a number, and returns its end. */
  static int write(long number, byte[] target, int at) {
    int end = at;
    long rest = number << 1 ^ number >> 63;
    for (; (rest & ~0x7fL) != 0; rest >>>= 7) {
      target[end++] = (byte) (rest | 0x80);
    }
    target[end++] = (byte) rest;
    return end;
  }
}
