package io.tidemark.avro.plan;

import java.util.Arrays;
import java.util.Objects;

/**
 * Datums of one writer schema in the order in which they are to be run: slices of arrays, which
 * stay where they are.
 *
 * <p>Reused from batch to batch. Not safe for use by several threads.
 */
public final class SourceDatums {
  private byte[][] arrays = new byte[64][];
  private int[] offsets = new int[64];
  private int[] lengths = new int[64];
  private int size;

  /** Adds a datum; the array must not change until it has been run. */
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

  /** Takes all datums out. */
  public void clear() {
    Arrays.fill(arrays, 0, size, null);
    size = 0;
  }

  /** How many datums there are. */
  public int size() {
    return size;
  }

  /** The array that holds a datum. */
  public byte[] bytes(int datum) {
    return arrays[Objects.checkIndex(datum, size)];
  }

  /** The index, in its array, of a datum's first byte. */
  public int offset(int datum) {
    return offsets[Objects.checkIndex(datum, size)];
  }

  /** How many bytes a datum has. */
  public int length(int datum) {
    return lengths[Objects.checkIndex(datum, size)];
  }
}
