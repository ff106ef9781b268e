package io.tidemark.store.partition;

import java.util.Arrays;

/** The bytes of one or more values, as a key of a map. The array must not be modified. */
public final class ValueBytes {
  private final byte[] bytes;

  public ValueBytes(byte[] bytes) {
    this.bytes = bytes;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ValueBytes value && Arrays.equals(bytes, value.bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }
}
