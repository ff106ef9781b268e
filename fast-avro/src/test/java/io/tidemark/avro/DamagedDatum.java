package io.tidemark.avro;

import java.util.Arrays;
import java.util.Random;

/** A datum that is cut off or extended, or has some bytes changed or inserted. */
public final class DamagedDatum {
  private DamagedDatum() {}

  public static byte[] of(byte[] datum, Random random) {
    byte[] damaged = datum.clone();
    int at = random.nextInt(datum.length + 1);
    switch (random.nextInt(5)) {
      case 0 -> {
        return Arrays.copyOf(datum, at);
      }
      case 1 -> {
        return Arrays.copyOf(datum, datum.length + 1 + random.nextInt(4));
      }
      case 2 -> {
        byte[] inserted = inserted(random);
        damaged = Arrays.copyOf(datum, datum.length + inserted.length);
        System.arraycopy(inserted, 0, damaged, at, inserted.length);
        System.arraycopy(datum, at, damaged, at + inserted.length, datum.length - at);
      }
      case 3 -> {
        if (at < datum.length) {
          damaged[at] ^= (byte) (1 << random.nextInt(8));
        }
      }
      default -> {
        if (at < datum.length) {
          damaged[at] = (byte) random.nextInt();
        }
      }
    }
    return damaged;
  }

  /** Bytes that are an extreme value wherever a number is expected. */
  private static byte[] inserted(Random random) {
    return switch (random.nextInt(4)) {
      case 0 -> new byte[] {-1, -1, -1, -1, 15};
      case 1 -> new byte[] {-2, -1, -1, -1, -1, -1, -1, -1, -1, 1};
      case 2 -> new byte[] {(byte) 0x80, 0};
      default -> new byte[] {(byte) random.nextInt()};
    };
  }
}
