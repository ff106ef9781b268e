package io.tidemark.avro.codegen;

import io.tidemark.avro.plan.SourceDatums;

/**
 * Some datums that a class walks through: copied into one array, one behind the other, so that
 * their bytes are fetched once, in order. Not safe for use by several threads.
 */
final class Lanes {
  private final long[] lanes = new long[Kernel.LANES];
  private final int[] ends = new int[Kernel.LANES];

  /** How many bytes some datums have together. */
  static int bytes(SourceDatums source, int from, int count) {
    int bytes = 0;
    for (int i = from; i < from + count; i++) {
      bytes = Math.addExact(bytes, source.length(i));
    }
    return bytes;
  }

  /** Copies some datums into an array, and stands the lanes before them. */
  void copy(SourceDatums source, int from, int count, byte[] bytes, int begin) {
    int end = begin;
    for (int i = 0; i < count; i++) {
      int length = source.length(from + i);
      System.arraycopy(source.bytes(from + i), source.offset(from + i), bytes, end, length);
      lanes[i] = end;
      end += length;
      ends[i] = end;
    }
  }

  /** Walks through the datums, and says whether all are well formed without doubt. */
  boolean walk(Kernel kernel, int count, byte[] bytes, int[] notes, int at) {
    try {
      if (count == Kernel.LANES) {
        kernel.walkAll(bytes, lanes, notes, at);
      } else {
        lanes[0] = kernel.walk(bytes, lanes[0], notes, at, 0);
      }
    } catch (IndexOutOfBoundsException e) {
      // A malformed length led beyond the array.
      return false;
    }
    int off = 0;
    for (int i = 0; i < count; i++) {
      off |= Lane.distance(lanes[i], ends[i]);
    }
    return off == 0;
  }

  /** Where the datum of a lane ends. */
  int end(int lane) {
    return ends[lane];
  }
}
