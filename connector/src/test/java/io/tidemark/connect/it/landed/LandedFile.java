package io.tidemark.connect.it.landed;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.avro.Schema;
import org.apache.avro.file.DataFileReader;
import org.apache.avro.file.SeekableByteArrayInput;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericRecord;

/**
 * A published Avro file, read by Avro's own reader.
 *
 * @param path example: {@code /topics/t/dt=2026-11-21/t+0+g1+0000000000+0000000499.avro}
 */
public record LandedFile(
    String path, String codec, String entry, Schema schema, List<GenericRecord> rows) {

  public static LandedFile read(String path, byte[] bytes) {
    try (DataFileReader<GenericRecord> reader =
        new DataFileReader<>(new SeekableByteArrayInput(bytes), new GenericDatumReader<>())) {
      List<GenericRecord> rows = new ArrayList<>();
      reader.forEachRemaining(rows::add);
      return new LandedFile(
          path,
          reader.getMetaString("avro.codec"),
          reader.getMetaString("tidemark.entry"),
          reader.getSchema(),
          rows);
    } catch (IOException e) {
      throw new UncheckedIOException(path, e);
    }
  }

  public List<RowKey> keys() {
    return rows.stream().map(RowKey::of).toList();
  }
}
