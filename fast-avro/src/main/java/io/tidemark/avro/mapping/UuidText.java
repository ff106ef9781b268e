package io.tidemark.avro.mapping;

import io.tidemark.avro.plan.step.Conversion;

/**
 * The text of a UUID of 16 bytes, as a string. Example: {@code
 * 6ba7b810-9dad-11d1-80b4-00c04fd430c8}
 */
final class UuidText extends Conversion {
  private static final int CHARACTERS = 36;

  UuidText() {
    super("text of uuid");
  }

  @Override
  public int maxBytes(byte[] source, int from, int to) {
    return 1 + CHARACTERS;
  }

  @Override
  public int convert(byte[] source, int from, int to, byte[] target, int at) {
    target[at] = 2 * CHARACTERS;
    int end = HexDigits.write(source, from, 4, target, at + 1);
    target[end] = '-';
    end = HexDigits.write(source, from + 4, 2, target, end + 1);
    target[end] = '-';
    end = HexDigits.write(source, from + 6, 2, target, end + 1);
    target[end] = '-';
    end = HexDigits.write(source, from + 8, 2, target, end + 1);
    target[end] = '-';
    return HexDigits.write(source, from + 10, 6, target, end + 1);
  }

  @Override
  public String problem(byte[] source, int from, int to) {
    throw new IllegalStateException("every uuid has a text");
  }
}
