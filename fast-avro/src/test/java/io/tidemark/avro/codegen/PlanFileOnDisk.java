package io.tidemark.avro.codegen;

import java.nio.ByteBuffer;
import java.util.zip.CRC32;

/** Invalid files of plans. */
final class PlanFileOnDisk {
  private PlanFileOnDisk() {}

  /** The same bytes with a correct checksum at their end. */
  static byte[] withChecksum(byte[] file) {
    byte[] right = file.clone();
    int end = Math.max(0, right.length - Integer.BYTES);
    var checksum = new CRC32();
    checksum.update(right, 0, end);
    if (right.length >= Integer.BYTES) {
      ByteBuffer.wrap(right).putInt(end, (int) checksum.getValue());
    }
    return right;
  }
}
