package io.tidemark.store.file;

import io.tidemark.store.PrintableText;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.UUID;
import org.apache.avro.file.DataFileStream;
import org.apache.avro.generic.GenericDatumReader;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Avro container files, which Hive's AvroSerDe reads: the format of all data files. */
public final class AvroFormat {
  /** The metadata key of the UUID of a file's log entry. */
  public static final String ENTRY_KEY = "tidemark.entry";

  /** Without the dot. */
  public static final String EXTENSION = "avro";

  private static final Logger LOG = LoggerFactory.getLogger(AvroFormat.class);

  private AvroFormat() {}

  /** Returns the UUID of a file's log entry; empty if the connector did not write the file. */
  public static Optional<UUID> entryOf(InputStream file, String place) throws IOException {
    StoreReader store = new StoreReader(file);
    try (DataFileStream<Object> avro = new DataFileStream<>(store, new GenericDatumReader<>())) {
      byte[] entry = avro.getMeta(ENTRY_KEY);
      return entry == null
          ? Optional.empty()
          : Optional.of(UUID.fromString(new String(entry, StandardCharsets.UTF_8)));
    } catch (IOException | RuntimeException e) { // a corrupted header causes many types
      if (store.failed) {
        throw e;
      }
      LOG.warn(
          "{} is not an Avro file of this connector: {}",
          PrintableText.line(place),
          PrintableText.of(e));
      return Optional.empty();
    }
  }

  /** Distinguishes failures of the store from failures because of the content of the bytes. */
  private static final class StoreReader extends FilterInputStream {
    boolean failed;

    StoreReader(InputStream file) {
      super(file);
    }

    @Override
    public int read() throws IOException {
      failed = true;
      int value = super.read();
      failed = false;
      return value;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      failed = true;
      int count = super.read(bytes, offset, length);
      failed = false;
      return count;
    }
  }
}
