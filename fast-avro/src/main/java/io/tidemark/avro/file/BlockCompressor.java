package io.tidemark.avro.file;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdCompressCtx;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.CRC32;
import java.util.zip.Deflater;
import org.apache.commons.compress.compressors.bzip2.BZip2CompressorOutputStream;
import org.tukaani.xz.ArrayCache;
import org.tukaani.xz.BasicArrayCache;
import org.tukaani.xz.LZMA2Options;
import org.tukaani.xz.UnsupportedOptionsException;
import org.tukaani.xz.XZ;
import org.tukaani.xz.XZOutputStream;

/**
 * Compresses blocks, one after the other, in its own buffers. Not thread-safe.
 *
 * <p>After an exception a compressor can only be closed.
 */
public interface BlockCompressor extends AutoCloseable {

  /**
   * Compresses a range of an array.
   *
   * @return the compressed bytes, between position and limit. The buffer may share the compressor's
   *     memory or the given array: it is valid until the next call, and until that array changes
   */
  ByteBuffer compress(byte[] raw, int offset, int length);

  /** Frees native memory. The compressor cannot be used after this. */
  @Override
  void close();

  /** Returns the bytes without compression. */
  final class Uncompressed implements BlockCompressor {
    Uncompressed() {}

    @Override
    public ByteBuffer compress(byte[] raw, int offset, int length) {
      return ByteBuffer.wrap(raw, offset, length);
    }

    @Override
    public void close() {}
  }

  /** Compresses with the JDK's zlib. */
  final class Deflate implements BlockCompressor {
    private final Deflater deflater;
    private byte[] scratch = new byte[0];

    Deflate(int level) {
      deflater = new Deflater(level, true);
    }

    @Override
    public ByteBuffer compress(byte[] raw, int offset, int length) {
      deflater.reset();
      deflater.setInput(raw, offset, length);
      deflater.finish();
      int size = 0;
      while (!deflater.finished()) {
        if (size == scratch.length) {
          scratch = Arrays.copyOf(scratch, Math.max(length / 2, 2 * size) + 64);
        }
        size += deflater.deflate(scratch, size, scratch.length - size);
      }
      return ByteBuffer.wrap(scratch, 0, size);
    }

    @Override
    public void close() {
      deflater.end();
    }
  }

  /** Compresses with snappy. */
  final class Snappy implements BlockCompressor {
    private final CRC32 crc = new CRC32();
    private byte[] scratch = new byte[0];

    Snappy() {}

    @Override
    public ByteBuffer compress(byte[] raw, int offset, int length) {
      int bound = org.xerial.snappy.Snappy.maxCompressedLength(length) + Integer.BYTES;
      if (scratch.length < bound) {
        scratch = new byte[bound];
      }
      int size = snap(raw, offset, length);
      crc.reset();
      crc.update(raw, offset, length);
      ByteBuffer.wrap(scratch).putInt(size, (int) crc.getValue());
      return ByteBuffer.wrap(scratch, 0, size + Integer.BYTES);
    }

    private int snap(byte[] raw, int offset, int length) {
      try {
        return org.xerial.snappy.Snappy.compress(raw, offset, length, scratch, 0);
      } catch (IOException e) {
        // The signature allows it. Snappy works in memory, and the scratch array fits any result.
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public void close() {}
  }

  /** Compresses with libzstd, in a context that is reused. */
  final class Zstandard implements BlockCompressor {
    private final ZstdCompressCtx context;
    private byte[] scratch = new byte[0];

    Zstandard(int level, boolean checksum) {
      context = new ZstdCompressCtx().setLevel(level).setChecksum(checksum);
    }

    @Override
    public ByteBuffer compress(byte[] raw, int offset, int length) {
      int bound = Math.toIntExact(Zstd.compressBound(length));
      if (scratch.length < bound) {
        scratch = new byte[bound];
      }
      int size = context.compressByteArray(scratch, 0, scratch.length, raw, offset, length);
      return ByteBuffer.wrap(scratch, 0, size);
    }

    @Override
    public void close() {
      context.close();
    }
  }

  /** Compresses with commons-compress, which allocates new tables for each block. */
  final class Bzip2 implements BlockCompressor {
    private static final int TABLE_BYTES = 100_000;
    private static final int TABLE_MARGIN_BYTES = 20;

    private final int level;
    private final ByteArrayOutputStream compressed = new ByteArrayOutputStream();

    Bzip2(int level) {
      this.level = level;
    }

    @Override
    public ByteBuffer compress(byte[] raw, int offset, int length) {
      compressed.reset();
      try (OutputStream out = open(length)) {
        out.write(raw, offset, length);
      } catch (IOException e) {
        // A stream in memory does no I/O that could fail.
        throw new UncheckedIOException(e);
      }
      return ByteBuffer.wrap(compressed.toByteArray());
    }

    /**
     * Opens a stream whose tables fit the block, which the first step can make a quarter longer.
     */
    private OutputStream open(int length) throws IOException {
      long longest = length + length / 4L + TABLE_MARGIN_BYTES;
      return new BZip2CompressorOutputStream(
          compressed, (int) Math.min(level, longest / TABLE_BYTES + 1));
    }

    @Override
    public void close() {}
  }

  /** Compresses with XZ for Java, whose large arrays are reused. */
  final class Xz implements BlockCompressor {
    private final LZMA2Options options;
    private final int presetDictBytes;
    private final ArrayCache arrays = new BasicArrayCache();
    private final ByteArrayOutputStream compressed = new ByteArrayOutputStream();

    Xz(int level) {
      try {
        options = new LZMA2Options(level);
      } catch (UnsupportedOptionsException e) {
        throw new IllegalArgumentException(e);
      }
      presetDictBytes = options.getDictSize();
    }

    @Override
    public ByteBuffer compress(byte[] raw, int offset, int length) {
      compressed.reset();
      try (OutputStream out = open(length)) {
        out.write(raw, offset, length);
      } catch (IOException e) {
        // A stream in memory does no I/O that could fail.
        throw new UncheckedIOException(e);
      }
      return ByteBuffer.wrap(compressed.toByteArray());
    }

    /** Opens a stream with a dictionary of the block's size: a larger one would not be filled. */
    private OutputStream open(int length) throws IOException {
      options.setDictSize(Math.max(LZMA2Options.DICT_SIZE_MIN, Math.min(presetDictBytes, length)));
      return new XZOutputStream(compressed, options, XZ.CHECK_CRC64, arrays);
    }

    @Override
    public void close() {}
  }
}
