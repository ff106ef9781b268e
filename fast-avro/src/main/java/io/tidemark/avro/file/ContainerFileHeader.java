package io.tidemark.avro.file;

import io.tidemark.avro.file.read.FileHead;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.avro.Schema;
import org.jspecify.annotations.Nullable;

/**
 * The header of a container file that is to be written: magic, metadata with schema and codec, sync
 * marker. {@link FileHead} is the header of an existing file.
 *
 * <p>The layout is that of the Avro 1.12 specification, "Object Container Files". Immutable.
 */
public final class ContainerFileHeader {
  /** The length of a sync marker, in bytes. */
  public static final int SYNC_BYTES = 16;

  private static final byte[] MAGIC = {'O', 'b', 'j', 1};
  private static final String RESERVED = "avro.";
  private static final SecureRandom RANDOM = new SecureRandom();

  private final Schema schema;
  private final BlockCodec codec;
  private final byte[] sync;
  private final byte[] encoded;

  /**
   * Creates a header.
   *
   * @param metadata the user's own keys, written in the map's order. A key must not begin with
   *     {@code avro.}, which is reserved
   * @param sync the file's sync marker, 16 bytes that are unlikely to occur in its data: see {@link
   *     #newSync()}
   */
  public ContainerFileHeader(
      Schema schema, BlockCodec codec, Map<String, byte[]> metadata, byte[] sync) {
    if (sync.length != SYNC_BYTES) {
      throw new IllegalArgumentException("a sync marker has 16 bytes, not " + sync.length);
    }
    metadata.keySet().forEach(ContainerFileHeader::requireUnreserved);
    this.schema = schema;
    this.codec = codec;
    this.sync = sync.clone();
    this.encoded = encode(schema, codec, metadata, sync);
  }

  /** Rejects a metadata key that Avro reserves. */
  static void requireUnreserved(String key) {
    if (key.startsWith(RESERVED)) {
      throw new IllegalArgumentException(
          "metadata key \"" + key + "\" begins with \"avro.\": such keys are reserved for Avro");
    }
  }

  /**
   * Returns the header of an existing file, to append blocks to it.
   *
   * @param codec the file's own codec, possibly with another level; null for the default level
   * @throws IllegalArgumentException if the file has another schema or codec
   */
  static ContainerFileHeader ofExisting(
      FileHead head, Schema schema, @Nullable BlockCodec codec, String file) {
    if (!head.schema().equals(schema)) {
      throw new IllegalArgumentException(
          file
              + ": the file has another schema, "
              + head.schema()
              + ". Give the file's schema, or write another file.");
    }
    if (codec != null && !codec.name().equals(head.codec())) {
      throw new IllegalArgumentException(
          "%s: the file's codec is %s, not %s. Give that codec or none, or write another file."
              .formatted(file, head.codec(), codec.name()));
    }
    return new ContainerFileHeader(
        head.schema(), codec == null ? BlockCodec.of(head.codec()) : codec, Map.of(), head.sync());
  }

  /** Returns a new random sync marker. */
  public static byte[] newSync() {
    var sync = new byte[SYNC_BYTES];
    RANDOM.nextBytes(sync);
    return sync;
  }

  /** Returns the schema of the file's records. */
  public Schema schema() {
    return schema;
  }

  /** Returns the codec of the file's blocks. */
  public BlockCodec codec() {
    return codec;
  }

  /** Returns the bytes of the header, with which the file begins. */
  public byte[] encoded() {
    return encoded.clone();
  }

  /** Returns the sync marker itself; the caller must not change it. */
  byte[] sync() {
    return sync;
  }

  private static byte[] encode(
      Schema schema, BlockCodec codec, Map<String, byte[]> metadata, byte[] sync) {
    var entries = new LinkedHashMap<String, byte[]>();
    entries.put("avro.schema", schema.toString().getBytes(StandardCharsets.UTF_8));
    entries.put("avro.codec", codec.name().getBytes(StandardCharsets.UTF_8));
    entries.putAll(metadata);
    var out = new ByteArrayOutputStream();
    try {
      out.write(MAGIC);
      Varint.write(entries.size(), out);
      for (var entry : entries.entrySet()) {
        writeBytes(entry.getKey().getBytes(StandardCharsets.UTF_8), out);
        writeBytes(entry.getValue(), out);
      }
      Varint.write(0, out);
      out.write(sync);
    } catch (IOException e) {
      // A stream in memory does no I/O that could fail.
      throw new UncheckedIOException(e);
    }
    return out.toByteArray();
  }

  private static void writeBytes(byte[] value, ByteArrayOutputStream out) throws IOException {
    Varint.write(value.length, out);
    out.write(value);
  }
}
