package io.tidemark.avro.file;

import java.io.IOException;
import java.io.OutputStream;

/** Avro's long: a zigzag varint. */
final class Varint {
  private Varint() {}

  static int size(long value) {
    int bytes = 1;
    for (long rest = zigzag(value) >>> 7; rest != 0; rest >>>= 7) {
      bytes++;
    }
    return bytes;
  }

  static void write(long value, OutputStream out) throws IOException {
    long rest = zigzag(value);
    while ((rest & ~0x7fL) != 0) {
      out.write((int) ((rest & 0x7f) | 0x80));
      rest >>>= 7;
    }
    out.write((int) rest);
  }

  private static long zigzag(long value) {
    return (value << 1) ^ (value >> 63);
  }
}
