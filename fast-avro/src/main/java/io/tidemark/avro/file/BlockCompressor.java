package io.tidemark.avro.file;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.CRC32;
import java.util.zip.Deflater;
import org.xerial.snappy.Snappy;

/**
 * Compresses blocks, one after the other, in buffers of its own. Not safe for use by several
 * threads.
 */
public sealed interface BlockCompressor {

  /** Compresses a range of an array into a new array of exactly the compressed size. */
  byte[] compress(byte[] raw, int offset, int length);

  /** Compresses nothing. */
  final class Copying implements BlockCompressor {
    Copying() {}

    @Override
    public byte[] compress(byte[] raw, int offset, int length) {
      return Arrays.copyOfRange(raw, offset, offset + length);
    }
  }

  /** Compresses by zlib, whose memory outside of the heap is freed after each block. */
  final class Deflating implements BlockCompressor {
    private final int level;
    private byte[] scratch = new byte[0];

    Deflating(int level) {
      this.level = level;
    }

    @Override
    public byte[] compress(byte[] raw, int offset, int length) {
      var deflater = new Deflater(level, true);
      try {
        deflater.setInput(raw, offset, length);
        deflater.finish();
        int size = 0;
        while (!deflater.finished()) {
          if (size == scratch.length) {
            scratch = Arrays.copyOf(scratch, Math.max(length / 2, 2 * size) + 64);
          }
          size += deflater.deflate(scratch, size, scratch.length - size);
        }
        return Arrays.copyOf(scratch, size);
      } finally {
        deflater.end();
      }
    }
  }

  /** Compresses by snappy. */
  final class Snapping implements BlockCompressor {
    private final CRC32 crc = new CRC32();
    private byte[] scratch = new byte[0];

    Snapping() {}

    @Override
    public byte[] compress(byte[] raw, int offset, int length) {
      int bound = Snappy.maxCompressedLength(length) + Integer.BYTES;
      if (scratch.length < bound) {
        scratch = new byte[bound];
      }
      int size = snap(raw, offset, length);
      crc.reset();
      crc.update(raw, offset, length);
      ByteBuffer.wrap(scratch).putInt(size, (int) crc.getValue());
      return Arrays.copyOf(scratch, size + Integer.BYTES);
    }

    private int snap(byte[] raw, int offset, int length) {
      try {
        return Snappy.compress(raw, offset, length, scratch, 0);
      } catch (IOException e) {
        // Its signature allows it, but it works in memory and the scratch has room for the worst.
        throw new UncheckedIOException(e);
      }
    }
  }
}
