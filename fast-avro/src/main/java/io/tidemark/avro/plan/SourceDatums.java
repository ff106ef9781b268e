package io.tidemark.avro.plan;

import java.util.Arrays;
import java.util.Objects;

/**
 * Encoded datums of one writer schema, as input of a {@link BatchRunner}: a list of array slices,
 * which are not copied.
 *
 * <p>An instance can be reused for any number of batches. Not thread-safe.
 */
public final class SourceDatums {
  private byte[][] arrays = new byte[64][];
  private int[] offsets = new int[64];
  private int[] lengths = new int[64];
  private int size;

  /** Adds a datum. The array must not change until a runner has run the datum. */
  public void add(byte[] bytes, int offset, int length) {
    Objects.checkFromIndexSize(offset, length, bytes.length);
    if (size == offsets.length) {
      arrays = Arrays.copyOf(arrays, 2 * size);
      offsets = Arrays.copyOf(offsets, 2 * size);
      lengths = Arrays.copyOf(lengths, 2 * size);
    }
    arrays[size] = bytes;
    offsets[size] = offset;
    lengths[size] = length;
    size++;
  }

  /** Removes all datums. */
  public void clear() {
    Arrays.fill(arrays, 0, size, null);
    size = 0;
  }

  /** Returns the number of datums. */
  public int size() {
    return size;
  }

  /** Returns the array that contains a datum. */
  public byte[] bytes(int datum) {
    return arrays[Objects.checkIndex(datum, size)];
  }

  /** Returns the index of a datum's first byte in its array. */
  public int offset(int datum) {
    return offsets[Objects.checkIndex(datum, size)];
  }

  /** Returns the size of a datum in bytes. */
  public int length(int datum) {
    return lengths[Objects.checkIndex(datum, size)];
  }
}
