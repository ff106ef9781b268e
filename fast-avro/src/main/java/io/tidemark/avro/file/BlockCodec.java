package io.tidemark.avro.file;

import java.util.List;
import java.util.zip.Deflater;

/**
 * The compression of a container file's blocks. Immutable, and safe for use by many threads.
 *
 * <p>The codecs of the Avro 1.12 specification are nested in this interface. Implement it for
 * another codec, if the readers of the files support a codec of that name.
 */
public interface BlockCodec {

  /** The names of Avro's codecs. */
  List<String> NAMES = List.of("null", "deflate", "snappy", "zstandard", "bzip2", "xz");

  /** Returns the codec's name in the header of a file, the value of {@code avro.codec}. */
  String name();

  /** Creates a compressor for one thread at a time. The caller must close it. */
  BlockCompressor newCompressor();

  /**
   * Returns the codec of a name, with the default level of Avro's library.
   *
   * @throws IllegalArgumentException if the name is not one of {@link #NAMES}
   */
  static BlockCodec of(String name) {
    return switch (name) {
      case "null" -> new Uncompressed();
      case "deflate" -> new Deflate(Deflater.DEFAULT_COMPRESSION);
      case "snappy" -> new Snappy();
      case "zstandard" -> new Zstandard(Zstandard.DEFAULT_LEVEL, false);
      case "bzip2" -> new Bzip2(Bzip2.MAX_LEVEL);
      case "xz" -> new Xz(Xz.DEFAULT_LEVEL);
      default -> throw unknown(name);
    };
  }

  /**
   * Returns the codec of a name, with a level.
   *
   * @throws IllegalArgumentException if the name is not one of {@link #NAMES}, if the level is out
   *     of the codec's range, or if the codec has no levels
   */
  static BlockCodec of(String name, int level) {
    return switch (name) {
      case "null", "snappy" ->
          throw new IllegalArgumentException(
              name + " has no levels: give no level, or choose another codec");
      case "deflate" -> new Deflate(level);
      case "zstandard" -> new Zstandard(level, false);
      case "bzip2" -> new Bzip2(level);
      case "xz" -> new Xz(level);
      default -> throw unknown(name);
    };
  }

  private static IllegalArgumentException unknown(String name) {
    return new IllegalArgumentException(
        "unknown codec \"" + name + "\": it must be one of " + String.join(", ", NAMES));
  }

  private static void requireLevel(String codec, int level, int least, int most) {
    if (level < least || level > most) {
      throw new IllegalArgumentException(
          codec + " has the levels " + least + " to " + most + ", not " + level);
    }
  }

  /** Blocks without compression. */
  record Uncompressed() implements BlockCodec {
    @Override
    public String name() {
      return "null";
    }

    @Override
    public BlockCompressor newCompressor() {
      return new BlockCompressor.Uncompressed();
    }
  }

  /**
   * Raw deflate (RFC 1951), without zlib's header and checksum.
   *
   * @param level 0 (stored) to 9 (smallest), or -1 for zlib's default, which is 6
   */
  record Deflate(int level) implements BlockCodec {
    public Deflate {
      requireLevel("deflate", level, Deflater.DEFAULT_COMPRESSION, Deflater.BEST_COMPRESSION);
    }

    @Override
    public String name() {
      return "deflate";
    }

    @Override
    public BlockCompressor newCompressor() {
      return new BlockCompressor.Deflate(level);
    }
  }

  /** Snappy's raw format, followed by the CRC-32 of the uncompressed bytes, in big-endian order. */
  record Snappy() implements BlockCodec {
    @Override
    public String name() {
      return "snappy";
    }

    @Override
    public BlockCompressor newCompressor() {
      return new BlockCompressor.Snappy();
    }
  }

  /**
   * One Zstandard frame (RFC 8878) for each block.
   *
   * @param level -131072 (fastest) to 22 (smallest); 0 is the library's default, which is 3
   * @param checksum whether each frame ends with a checksum of its content, which readers verify
   */
  record Zstandard(int level, boolean checksum) implements BlockCodec {
    static final int MIN_LEVEL = -(1 << 17);
    static final int DEFAULT_LEVEL = 3;
    static final int MAX_LEVEL = 22;

    public Zstandard {
      requireLevel("zstandard", level, MIN_LEVEL, MAX_LEVEL);
    }

    @Override
    public String name() {
      return "zstandard";
    }

    @Override
    public BlockCompressor newCompressor() {
      return new BlockCompressor.Zstandard(level, checksum);
    }
  }

  /**
   * One bzip2 stream for each block.
   *
   * @param level bzip2's own block size, in units of 100,000 bytes: 1 to 9. A size that is larger
   *     than the file's blocks has no further effect
   */
  record Bzip2(int level) implements BlockCodec {
    static final int MAX_LEVEL = 9;

    public Bzip2 {
      requireLevel("bzip2", level, 1, MAX_LEVEL);
    }

    @Override
    public String name() {
      return "bzip2";
    }

    @Override
    public BlockCompressor newCompressor() {
      return new BlockCompressor.Bzip2(level);
    }
  }

  /**
   * One xz stream (LZMA2, checked by CRC-64) for each block.
   *
   * @param level the preset, 0 (fastest) to 9 (smallest). The presets 6 to 9 differ only for blocks
   *     of more than 8 MiB
   */
  record Xz(int level) implements BlockCodec {
    static final int DEFAULT_LEVEL = 6;
    static final int MAX_LEVEL = 9;

    public Xz {
      requireLevel("xz", level, 0, MAX_LEVEL);
    }

    @Override
    public String name() {
      return "xz";
    }

    @Override
    public BlockCompressor newCompressor() {
      return new BlockCompressor.Xz(level);
    }
  }
}
