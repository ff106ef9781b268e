package io.tidemark.avro.codegen;

import io.tidemark.avro.plan.SourceDatums;
import java.util.Arrays;

/**
 * The datums that a class walks through together. They are copied into one array, so that their
 * bytes are loaded once, in order. Not thread-safe.
 */
final class Lanes {
  /** The number of datums from which all lanes together are faster than one by one. */
  private static final int WORTH_ALL = 3;

  private final int[] lanes = new int[Kernel.LANES];
  private final int[] ends = new int[Kernel.LANES];

  /** Returns how many of the next datums are walked through together. */
  static int together(int left) {
    return left < WORTH_ALL ? 1 : Math.min(left, Kernel.LANES);
  }

  /** Returns the number of lanes for this many datums: lanes without a datum repeat the first. */
  static int lanes(int datums) {
    return datums == 1 ? 1 : Kernel.LANES;
  }

  /** Returns the size of some datums together, in bytes. */
  static int bytes(SourceDatums source, int from, int count) {
    int bytes = 0;
    for (int i = from; i < from + count; i++) {
      bytes = Math.addExact(bytes, source.length(i));
    }
    return bytes;
  }

  /** Copies some datums into an array, and sets the lanes to their starts. */
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

  /** Walks through the datums; returns false if one of them must fall back to the interpreter. */
  boolean walk(Kernel kernel, int count, byte[] bytes, int[] notes, int at) {
    try {
      if (lanes(count) == 1) {
        lanes[0] = kernel.walk(bytes, lanes[0], notes, at, 0);
      } else {
        kernel.walkAll(bytes, lanes, notes, at);
      }
    } catch (FallBackException | IndexOutOfBoundsException e) {
      // A malformed length can lead out of the array.
      return false;
    }
    int off = 0;
    for (int i = 0; i < count; i++) {
      off |= lanes[i] ^ ends[i];
    }
    return off == 0;
  }

  /** Returns the end of a lane's datum. */
  int end(int lane) {
    return ends[lane];
  }
}
