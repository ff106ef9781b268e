package io.tidemark.avro.mapping;

import io.tidemark.avro.plan.step.Conversion;
import java.nio.charset.StandardCharsets;

/**
 * The text of a UUID of 16 bytes, as a string. Example: {@code
 * 6ba7b810-9dad-11d1-80b4-00c04fd430c8}
 */
final class UuidText extends Conversion {
  private static final byte[] DIGITS = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);
  private static final int BYTES = 16;
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
    int end = Varints.write(CHARACTERS, target, at);
    for (int i = 0; i < BYTES; i++) {
      if (i == 4 || i == 6 || i == 8 || i == 10) {
        target[end++] = '-';
      }
      target[end++] = DIGITS[(source[from + i] & 0xf0) >> 4];
      target[end++] = DIGITS[source[from + i] & 0xf];
    }
    return end;
  }

  @Override
  public String problem(byte[] source, int from, int to) {
    throw new IllegalStateException("every uuid has a text");
  }
}
