package io.tidemark.avro.codegen;

import io.tidemark.avro.plan.SourceDatums;
import java.util.Arrays;

/**
 * Some datums that a class walks through: copied into one array, one behind the other, so that
 * their bytes are fetched once, in order. Not safe for use by several threads.
 */
final class Lanes {
  /** From how many datums on it is quicker to walk with all lanes than one by one. */
  private static final int WORTH_ALL = 3;

  private final int[] lanes = new int[Kernel.LANES];
  private final int[] ends = new int[Kernel.LANES];

  /** How many of the next datums are walked through together. */
  static int together(int left) {
    return left < WORTH_ALL ? 1 : Math.min(left, Kernel.LANES);
  }

  /** How many lanes walk through so many datums: lanes that have none walk with the first. */
  static int lanes(int datums) {
    return datums == 1 ? 1 : Kernel.LANES;
  }

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
    Arrays.fill(lanes, count, lanes.length, begin);
  }

  /** Walks through the datums; false if one of them must fall back to the interpreter. */
  boolean walk(Kernel kernel, int count, byte[] bytes, int[] notes, int at) {
    try {
      if (lanes(count) == 1) {
        lanes[0] = kernel.walk(bytes, lanes[0], notes, at, 0);
      } else {
        kernel.walkAll(bytes, lanes, notes, at);
      }
    } catch (FallBackException | IndexOutOfBoundsException e) {
      // Perhaps a malformed length led beyond the array.
      return false;
    }
    int off = 0;
    for (int i = 0; i < count; i++) {
      off |= lanes[i] ^ ends[i];
    }
    return off == 0;
  }

  /** Where the datum of a lane ends. */
  int end(int lane) {
    return ends[lane];
  }
}
