package io.tidemark.avro.file.read;

import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.avro.InvalidAvroMagicException;
import org.apache.avro.InvalidNumberEncodingException;
import org.apache.avro.Schema;
import org.apache.avro.file.DataFileConstants;
import org.apache.avro.file.DataFileReader;
import org.apache.avro.file.SeekableInput;
import org.apache.avro.generic.GenericDatumReader;
import org.jspecify.annotations.Nullable;

/**
 * The header of an existing container file: schema, metadata, codec, sync marker. Avro's library
 * reads it. To write a header, use {@link io.tidemark.avro.file.ContainerFileHeader}. Immutable.
 */
public final class FileHead {
  private final Schema schema;
  private final Map<String, byte[]> metadata = new LinkedHashMap<>();
  private final byte[] sync;
  private final long end;

  private FileHead(DataFileReader<?> file, SeekableInput input) throws IOException {
    schema = file.getSchema();
    file.getMetaKeys().forEach(key -> metadata.put(key, file.getMeta(key)));
    end = file.previousSync();
    sync = markerBefore(end, input);
  }

  private static byte[] markerBefore(long position, SeekableInput input) throws IOException {
    var marker = new byte[DataFileConstants.SYNC_SIZE];
    input.seek(position - marker.length);
    for (int read = 0; read < marker.length; ) {
      int more = input.read(marker, read, marker.length - read);
      if (more < 0) {
        throw new EOFException("the sync marker is cut off");
      }
      read += more;
    }
    return marker;
  }

  /**
   * Reads the header of a file.
   *
   * @param name the file's name in errors
   * @throws InvalidAvroMagicException if it is not an Avro data file, as from Avro's reader
   * @throws CorruptFileException if its header is cut off or damaged, or its codec is not one of
   *     Avro's
   */
  public static FileHead read(SeekableInput input, String name) throws IOException {
    if (input.length() < DataFileConstants.MAGIC.length) {
      throw ofAnotherFormat(name, null);
    }
    try {
      requireLengths(new BufferedInput(input));
      input.seek(0);
      // It is not closed: that would close the input.
      return new FileHead(new DataFileReader<>(input, new GenericDatumReader<>()), input);
    } catch (EOFException | InvalidNumberEncodingException | RuntimeException e) {
      throw CorruptFileException.ofHead(name, e);
    } catch (IOException e) {
      // Avro has no separate exception for a file that is too short.
      boolean noAvroFile = String.valueOf(e.getMessage()).startsWith("Not an Avro data file");
      throw noAvroFile ? ofAnotherFormat(name, e) : e;
    }
  }

  /**
   * Requires that the lengths of the metadata fit the file: Avro's library allocates memory for a
   * length before it reads the bytes.
   *
   * @throws EOFException if one does not
   */
  private static void requireLengths(BufferedInput in) throws IOException {
    in.seek(0);
    for (byte magic : DataFileConstants.MAGIC) {
      if (in.read() != magic) {
        return; // Another format, which Avro's library refuses.
      }
    }
    for (long entries = entries(in); entries > 0; entries = entries(in)) {
      for (long i = 0; i < entries; i++) {
        skip(in); // the key
        skip(in); // the value
      }
    }
  }

  private static long entries(BufferedInput in) throws IOException {
    long count = in.readLong();
    if (count < 0) {
      long unused = in.readLong(); // the block's size in bytes
      count = -count;
    }
    return count;
  }

  private static void skip(BufferedInput in) throws IOException {
    long length = in.readLong();
    if (length < 0 || length > in.length() - in.position()) {
      throw new EOFException("a key or value of the metadata is said to have " + length + " bytes");
    }
    in.seek(in.position() + length);
  }

  private static InvalidAvroMagicException ofAnotherFormat(
      String name, @Nullable IOException cause) {
    var other =
        new InvalidAvroMagicException(
            name
                + "@0: this is not an Avro data file: it does not begin with the bytes of one. It has"
                + " another format, or was damaged. Name another file, or restore this one.");
    other.initCause(cause);
    return other;
  }

  /**
   * Checks that a file is complete: a complete file ends with its sync marker.
   *
   * @throws CorruptFileException if the file does not end with its sync marker
   */
  public void requireWholeEnd(SeekableInput input, String name) throws IOException {
    long length = input.length();
    if (!Arrays.equals(markerBefore(length, input), sync)) {
      throw CorruptFileException.ofEnd(name, length);
    }
  }

  /** Returns the schema of the file's records. */
  public Schema schema() {
    return schema;
  }

  /** Returns the name of the codec of the file's blocks. */
  public String codec() {
    byte[] name = metadata.get(DataFileConstants.CODEC);
    return name == null ? DataFileConstants.NULL_CODEC : new String(name, StandardCharsets.UTF_8);
  }

  /** Returns the keys of the file's metadata, in the file's order, including those of Avro. */
  public List<String> metadataKeys() {
    return List.copyOf(metadata.keySet());
  }

  /** Returns a value of the file's metadata. */
  public Optional<byte[]> metadata(String key) {
    return Optional.ofNullable(metadata.get(key)).map(byte[]::clone);
  }

  /** Returns the 16 bytes that end each block. */
  public byte[] sync() {
    return sync.clone();
  }

  /** Returns the end of the header, which is the position of the first block. */
  public long end() {
    return end;
  }
}
