package io.tidemark.avro.file.read;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdDecompressCtx;
import com.github.luben.zstd.ZstdException;
import com.github.luben.zstd.ZstdInputStreamNoFinalizer;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import org.apache.commons.compress.compressors.bzip2.BZip2CompressorInputStream;
import org.tukaani.xz.ArrayCache;
import org.tukaani.xz.BasicArrayCache;
import org.tukaani.xz.SingleXZInputStream;

/**
 * Decompresses blocks, one after the other, in its own buffer, which grows to the largest block.
 * Not thread-safe.
 */
abstract class BlockDecompressor implements AutoCloseable {
  private static final int FIRST_BUFFER_BYTES = 4096;

  private final int maxBlockBytes;
  private byte[] buffer;

  private BlockDecompressor(int maxBlockBytes) {
    this.maxBlockBytes = maxBlockBytes;
    buffer = new byte[Math.min(FIRST_BUFFER_BYTES, maxBlockBytes)];
  }

  /**
   * Returns a decompressor for one of Avro's codecs.
   *
   * @param maxBlockBytes the maximum size of a decompressed block, in bytes
   */
  static BlockDecompressor of(String codec, int maxBlockBytes) {
    return switch (codec) {
      case "null" -> new Uncompressed(maxBlockBytes);
      case "deflate" -> new Deflate(maxBlockBytes);
      case "snappy" -> new Snappy(maxBlockBytes);
      case "zstandard" -> new Zstandard(maxBlockBytes);
      case "bzip2" -> new Bzip2(maxBlockBytes);
      case "xz" -> new Xz(maxBlockBytes);
      default -> throw new IllegalArgumentException("unknown codec \"" + codec + "\"");
    };
  }

  /** Thrown if a block has more than {@code maxBlockBytes} bytes when decompressed. */
  static final class LargeBlockException extends IOException {
    private static final long serialVersionUID = 1L;

    final int maxBlockBytes;

    LargeBlockException(int maxBlockBytes) {
      super("more than " + maxBlockBytes + " bytes");
      this.maxBlockBytes = maxBlockBytes;
    }
  }

  /**
   * Decompresses the first bytes of an array.
   *
   * @return the raw bytes. The buffer may share the decompressor's memory or the given array: it is
   *     valid until the next call, and until that array changes
   */
  abstract ByteBuffer decompress(byte[] compressed, int length) throws IOException;

  /** Frees native memory. The decompressor cannot be used after this. */
  @Override
  public void close() {}

  /** Makes the buffer larger than {@code size}, keeps its content, and returns the buffer. */
  final byte[] grow(int size) throws IOException {
    if (size == maxBlockBytes) {
      throw tooLarge();
    }
    if (size == buffer.length) {
      buffer = Arrays.copyOf(buffer, (int) Math.min(maxBlockBytes, 2L * size));
    }
    return buffer;
  }

  /** Makes the buffer at least this large, and returns it. Its content is lost. */
  final byte[] room(long size) throws IOException {
    if (size > maxBlockBytes) {
      throw tooLarge();
    }
    if (size > buffer.length) {
      buffer = new byte[(int) size];
    }
    return buffer;
  }

  private LargeBlockException tooLarge() {
    return new LargeBlockException(maxBlockBytes);
  }

  final ByteBuffer readAll(InputStream in) throws IOException {
    int size = 0;
    while (true) {
      boolean room = size < buffer.length;
      int more = room ? in.read(buffer, size, buffer.length - size) : in.read();
      if (more < 0) {
        return ByteBuffer.wrap(buffer, 0, size);
      }
      if (room) {
        size += more;
      } else {
        grow(size)[size++] = (byte) more;
      }
    }
  }

  private static final class Uncompressed extends BlockDecompressor {
    Uncompressed(int maxBlockBytes) {
      super(maxBlockBytes);
    }

    @Override
    ByteBuffer decompress(byte[] compressed, int length) {
      return ByteBuffer.wrap(compressed, 0, length);
    }
  }

  /**
   * Raw deflate. Bytes after its end are ignored: some writers leave a part of a checksum there.
   */
  private static final class Deflate extends BlockDecompressor {
    private final Inflater inflater = new Inflater(true);

    Deflate(int maxBlockBytes) {
      super(maxBlockBytes);
    }

    @Override
    ByteBuffer decompress(byte[] compressed, int length) throws IOException {
      inflater.reset();
      inflater.setInput(compressed, 0, length);
      byte[] raw = room(1);
      int size = 0;
      try {
        while (!inflater.finished()) {
          int more = inflater.inflate(raw, size, raw.length - size);
          size += more;
          if (more == 0 && !inflater.finished()) {
            if (size < raw.length) {
              throw new EOFException("the deflate stream is cut off");
            }
            raw = grow(size);
          }
        }
      } catch (DataFormatException e) {
        throw new IOException(e);
      }
      return ByteBuffer.wrap(raw, 0, size);
    }

    @Override
    public void close() {
      inflater.end();
    }
  }

  private static final class Snappy extends BlockDecompressor {
    /** A copy of up to 64 bytes is encoded in 3 bytes, so no ratio is larger. */
    private static final int MAX_RATIO = 22;

    private final CRC32 crc = new CRC32();

    Snappy(int maxBlockBytes) {
      super(maxBlockBytes);
    }

    @Override
    ByteBuffer decompress(byte[] compressed, int length) throws IOException {
      int end = length - Integer.BYTES;
      if (end < 1) {
        throw new EOFException("the snappy stream has no checksum");
      }
      long said = org.xerial.snappy.Snappy.uncompressedLength(compressed, 0, end);
      if (said < 0 || said > (long) MAX_RATIO * end) {
        throw new IOException(end + " bytes of snappy cannot have the uncompressed size " + said);
      }
      byte[] raw = room(said);
      int size = org.xerial.snappy.Snappy.uncompress(compressed, 0, end, raw, 0);
      crc.reset();
      crc.update(raw, 0, size);
      if (ByteBuffer.wrap(compressed).getInt(end) != (int) crc.getValue()) {
        throw new IOException("the checksum after the snappy stream does not match its bytes");
      }
      return ByteBuffer.wrap(raw, 0, size);
    }
  }

  private static final class Zstandard extends BlockDecompressor {
    /** The stated size of a frame is allocated at once only up to this ratio. */
    private static final int BELIEVED_RATIO = 256;

    private final ZstdDecompressCtx context = new ZstdDecompressCtx();

    Zstandard(int maxBlockBytes) {
      super(maxBlockBytes);
    }

    @Override
    ByteBuffer decompress(byte[] compressed, int length) throws IOException {
      long said = Zstd.getFrameContentSize(compressed, 0, length);
      if (said > 0 && said <= (long) BELIEVED_RATIO * length) {
        byte[] raw = room(said);
        try {
          int size = context.decompressByteArray(raw, 0, raw.length, compressed, 0, length);
          return ByteBuffer.wrap(raw, 0, size);
        } catch (ZstdException e) {
          // There are several frames, or an error: a stream reads all frames, or names the error.
        }
      }
      try (var in =
          new ZstdInputStreamNoFinalizer(new ByteArrayInputStream(compressed, 0, length))) {
        return readAll(in);
      }
    }

    @Override
    public void close() {
      context.close();
    }
  }

  private static final class Bzip2 extends BlockDecompressor {
    Bzip2(int maxBlockBytes) {
      super(maxBlockBytes);
    }

    @Override
    ByteBuffer decompress(byte[] compressed, int length) throws IOException {
      try (var in =
          new BZip2CompressorInputStream(new ByteArrayInputStream(compressed, 0, length))) {
        return readAll(in);
      }
    }
  }

  private static final class Xz extends BlockDecompressor {
    private final ArrayCache arrays = new BasicArrayCache();

    Xz(int maxBlockBytes) {
      super(maxBlockBytes);
    }

    @Override
    ByteBuffer decompress(byte[] compressed, int length) throws IOException {
      try (var in =
          new SingleXZInputStream(
              new ByteArrayInputStream(compressed, 0, length), -1, true, arrays)) {
        return readAll(in);
      }
    }
  }
}
