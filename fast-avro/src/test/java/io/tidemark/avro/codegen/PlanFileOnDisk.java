package io.tidemark.avro.codegen;

import java.nio.ByteBuffer;
import java.util.zip.CRC32;

/** Files of plans as they should not be. */
final class PlanFileOnDisk {
  private PlanFileOnDisk() {}

  /** The same bytes with the checksum at their end put right. */
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
