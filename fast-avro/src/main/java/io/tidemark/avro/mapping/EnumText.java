package io.tidemark.avro.mapping;

import io.tidemark.avro.plan.step.Conversion;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** The symbol of an enum as a string. */
final class EnumText extends Conversion {
  private final byte[][] texts;
  private final int longest;

  EnumText(List<String> symbols) {
    super("text of enum " + symbols);
    texts = new byte[symbols.size()][];
    int most = 0;
    for (int i = 0; i < texts.length; i++) {
      texts[i] = encoded(symbols.get(i));
      most = Math.max(most, texts[i].length);
    }
    longest = most;
  }

  /** Returns a text as an encoded string. */
  static byte[] encoded(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    var encoded = new byte[Varints.MOST_BYTES + bytes.length];
    int head = Varints.write(bytes.length, encoded, 0);
    System.arraycopy(bytes, 0, encoded, head, bytes.length);
    return java.util.Arrays.copyOf(encoded, head + bytes.length);
  }

  @Override
  public int maxBytes(byte[] source, int from, int to) {
    return longest;
  }

  @Override
  public int convert(byte[] source, int from, int to, byte[] target, int at) {
    byte[] text = texts[(int) Varints.read(source, from)];
    System.arraycopy(text, 0, target, at, text.length);
    return at + text.length;
  }

  @Override
  public String problem(byte[] source, int from, int to) {
    throw new IllegalStateException("every symbol has a text");
  }
}
