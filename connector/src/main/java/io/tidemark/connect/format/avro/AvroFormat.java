package io.tidemark.connect.format.avro;

import io.tidemark.connect.format.DataFormat;
import io.tidemark.connect.table.StorageFormat;
import io.tidemark.connect.text.PrintableText;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.UUID;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.InvalidAvroMagicException;
import org.apache.avro.file.DataFileStream;
import org.apache.avro.generic.GenericDatumReader;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Avro's container files, as Hive's AvroSerDe reads them. */
public final class AvroFormat implements DataFormat {
  /** The only one: it has no settings. */
  public static final DataFormat INSTANCE = new AvroFormat();

  private static final Logger LOG = LoggerFactory.getLogger(AvroFormat.class);

  private static final StorageFormat STORAGE =
      new StorageFormat(
          "org.apache.hadoop.hive.serde2.avro.AvroSerDe",
          "org.apache.hadoop.hive.ql.io.avro.AvroContainerInputFormat",
          "org.apache.hadoop.hive.ql.io.avro.AvroContainerOutputFormat",
          "avro.schema.literal");

  private AvroFormat() {}

  @Override
  public String extension() {
    return "avro";
  }

  @Override
  public StorageFormat storageFormat() {
    return STORAGE;
  }

  @Override
  public Optional<UUID> entryOf(InputStream file, String place) throws IOException {
    try (DataFileStream<Object> avro = new DataFileStream<>(file, new GenericDatumReader<>())) {
      byte[] entry = avro.getMeta(ENTRY_KEY);
      return entry == null
          ? Optional.empty()
          : Optional.of(UUID.fromString(new String(entry, StandardCharsets.UTF_8)));
    } catch (AvroRuntimeException | IllegalArgumentException e) {
      return notOurs(place, e);
    } catch (IOException e) {
      // Avro's reader reports a file that is not Avro by these; anything else is the store's.
      if (e instanceof InvalidAvroMagicException || e.getCause() instanceof EOFException) {
        return notOurs(place, e);
      }
      throw e;
    }
  }

  private static Optional<UUID> notOurs(String place, Exception reason) {
    LOG.warn(
        "{} is not an Avro file of this connector: {}",
        PrintableText.line(place),
        PrintableText.of(reason));
    return Optional.empty();
  }
}
