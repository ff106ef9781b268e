package io.tidemark.avro.mapping;

import io.tidemark.avro.plan.step.Conversion;
import java.util.Arrays;

/** The same bytes for every value. */
final class Masked extends Conversion {
  private final byte[] bytes;

  Masked(byte[] bytes) {
    super("masked by " + Arrays.toString(bytes));
    this.bytes = bytes.clone();
  }

  @Override
  public int maxBytes(byte[] source, int from, int to) {
    return bytes.length;
  }

  @Override
  public int convert(byte[] source, int from, int to, byte[] target, int at) {
    System.arraycopy(bytes, 0, target, at, bytes.length);
    return at + bytes.length;
  }

  @Override
  public String problem(byte[] source, int from, int to) {
    throw new IllegalStateException("every value has a mask");
  }
}
