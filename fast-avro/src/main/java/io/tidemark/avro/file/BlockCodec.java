package io.tidemark.avro.file;

import java.util.zip.Deflater;

/** How the blocks of a container file are compressed. A value, safe for use by several threads. */
public sealed interface BlockCodec {

  /** The name under {@code avro.codec} in a file's header. */
  String name();

  /** A compressor for the use of one thread. */
  BlockCompressor newCompressor();

  /**
   * The codec of a name; deflate has zlib's default level.
   *
   * @throws IllegalArgumentException if the name is none of null, deflate and snappy
   */
  static BlockCodec of(String name) {
    return switch (name) {
      case "null" -> new Uncompressed();
      case "deflate" -> new Deflate(Deflater.DEFAULT_COMPRESSION);
      case "snappy" -> new Snappy();
      default ->
          throw new IllegalArgumentException(
              "unknown codec \"" + name + "\": it must be null, deflate or snappy");
    };
  }

  /** Blocks as they are. */
  record Uncompressed() implements BlockCodec {
    @Override
    public String name() {
      return "null";
    }

    @Override
    public BlockCompressor newCompressor() {
      return new BlockCompressor.Copying();
    }
  }

  /**
   * Raw deflate (RFC 1951), without zlib's header and checksum.
   *
   * @param level 0 (stored) to 9 (smallest), or -1 for zlib's default, which is 6
   */
  record Deflate(int level) implements BlockCodec {
    public Deflate {
      if (level < Deflater.DEFAULT_COMPRESSION || level > Deflater.BEST_COMPRESSION) {
        throw new IllegalArgumentException("deflate has the levels -1 to 9, not " + level);
      }
    }

    @Override
    public String name() {
      return "deflate";
    }

    @Override
    public BlockCompressor newCompressor() {
      return new BlockCompressor.Deflating(level);
    }
  }

  /**
   * Snappy's raw format, followed by the CRC-32 of the uncompressed bytes, the highest byte first.
   */
  record Snappy() implements BlockCodec {
    @Override
    public String name() {
      return "snappy";
    }

    @Override
    public BlockCompressor newCompressor() {
      return new BlockCompressor.Snapping();
    }
  }
}
