package io.tidemark.avro.plan.step;

/** A decimal as text, such as {@code 12.50}. */
public final class DecimalText extends Conversion {
  private final boolean fromFixed;
  private final int scale;

  private DecimalText(boolean fromFixed, int scale) {
    super("text of decimal of " + (fromFixed ? "fixed" : "bytes") + ", scale " + scale);
    this.fromFixed = fromFixed;
    this.scale = scale;
  }

  /** Creates the conversion of decimals of bytes. */
  public DecimalText(int scale) {
    this(false, scale);
  }

  /** Returns the same conversion of decimals of fixed. */
  public DecimalText ofFixed() {
    return new DecimalText(true, scale);
  }

  @Override
  public int maxBytes(byte[] source, int from, int to) {
    return Varints.MOST_BYTES + DecimalBytes.mostCharacters(to - from, scale);
  }

  @Override
  public int convert(byte[] source, int from, int to, byte[] target, int at) {
    int first = fromFixed ? from : Varints.end(source, from);
    byte[] text = DecimalBytes.text(source, first, to - first, scale);
    if (text.length == 0) {
      return REFUSED;
    }
    int begin = Varints.write(text.length, target, at);
    System.arraycopy(text, 0, target, begin, text.length);
    return begin + text.length;
  }

  @Override
  public String problem(byte[] source, int from, int to) {
    int first = fromFixed ? from : Varints.end(source, from);
    return "a decimal of " + (to - first) + " bytes has no text";
  }
}
