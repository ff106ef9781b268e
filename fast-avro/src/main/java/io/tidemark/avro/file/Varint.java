package io.tidemark.avro.file;

import java.io.IOException;
import java.io.OutputStream;

/** Avro's long: a zigzag varint. */
final class Varint {
  static final int MAX_BYTES = 10;

  private Varint() {}

  static int size(long value) {
    int bytes = 1;
    for (long rest = zigzag(value) >>> 7; rest != 0; rest >>>= 7) {
      bytes++;
    }
    return bytes;
  }

  static void write(long value, OutputStream out) throws IOException {
    var bytes = new byte[MAX_BYTES];
    out.write(bytes, 0, write(value, bytes, 0));
  }

  /** Writes a varint into an array and returns its end index, exclusive. */
  static int write(long value, byte[] target, int offset) {
    int end = offset;
    long rest = zigzag(value);
    while ((rest & ~0x7fL) != 0) {
      target[end++] = (byte) ((rest & 0x7f) | 0x80);
      rest >>>= 7;
    }
    target[end++] = (byte) rest;
    return end;
  }

  private static long zigzag(long value) {
    return (value << 1) ^ (value >> 63);
  }
}
