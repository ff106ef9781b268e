package io.tidemark.avro.mapping;

import io.tidemark.avro.plan.step.Conversion;
import io.tidemark.avro.plan.step.DecimalBytes;

/** A decimal of fixed as text, such as {@code 12.50}. */
final class FixedText extends Conversion {
  private final int scale;

  FixedText(int scale) {
    super("text of decimal of fixed, scale " + scale);
    this.scale = scale;
  }

  @Override
  public int maxBytes(byte[] source, int from, int to) {
    return Varints.MOST_BYTES + DecimalBytes.text(source, from, to - from, scale).length;
  }

  @Override
  public int convert(byte[] source, int from, int to, byte[] target, int at) {
    byte[] text = DecimalBytes.text(source, from, to - from, scale);
    if (text.length == 0) {
      return REFUSED;
    }
    int begin = Varints.write(text.length, target, at);
    System.arraycopy(text, 0, target, begin, text.length);
    return begin + text.length;
  }

  @Override
  public String problem(byte[] source, int from, int to) {
    return "a decimal of " + (to - from) + " bytes has no text";
  }
}
