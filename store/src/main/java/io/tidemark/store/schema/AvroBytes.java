package io.tidemark.store.schema;

import java.io.ByteArrayOutputStream;
import org.jspecify.annotations.Nullable;

/** Writes single values in Avro's binary encoding, for columns in front of a datum. */
final class AvroBytes {
  /** The index of null in a union of null and one other type. */
  static final int NULL_BRANCH = 0;

  static final int VALUE_BRANCH = 1;

  private AvroBytes() {}

  /** Writes a nullable string, given as UTF-8, or nullable bytes. */
  static void nullable(byte @Nullable [] bytes, ByteArrayOutputStream out) {
    number(bytes == null ? NULL_BRANCH : VALUE_BRANCH, out);
    if (bytes != null) {
      value(bytes, out);
    }
  }

  /** Writes a number of a nullable column. */
  static void some(long number, ByteArrayOutputStream out) {
    number(VALUE_BRANCH, out);
    number(number, out);
  }

  /** Writes a string, given as UTF-8, or bytes, with their length in front. */
  static void value(byte[] bytes, ByteArrayOutputStream out) {
    number(bytes.length, out);
    out.writeBytes(bytes);
  }

  /** Writes an Avro int or long: zigzag, then seven bits a byte, the lowest first. */
  static void number(long number, ByteArrayOutputStream out) {
    long rest = (number << 1) ^ (number >> 63);
    while ((rest & ~0x7fL) != 0) {
      out.write((int) ((rest & 0x7f) | 0x80));
      rest >>>= 7;
    }
    out.write((int) rest);
  }
}
