package io.tidemark.store.file;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.avro.file.BlockCodec;
import io.tidemark.store.schema.TableSchema;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.file.DataFileStream;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericRecord;
import org.junit.jupiter.api.Test;

class AvroFileWriterTest {
  private static final Schema SCHEMA =
      SchemaBuilder.record("Quote").fields().requiredLong("at").endRecord();
  private static final UUID ENTRY = UUID.fromString("8c6d8dc8-7dc1-4a38-8e83-601ebc9ad64c");

  private static Map<String, String> metadata() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (AvroFileFactory files =
        new AvroFileFactory(BlockCodec.of("null"), 1 << 10, () -> 1 << 20)) {
      AvroFileWriter writer = files.newFile(new TableSchema(1, SCHEMA), ENTRY, Runnable::run);
      writer.writeHead(bytes);
    }
    Map<String, String> metadata = new LinkedHashMap<>();
    try (DataFileStream<GenericRecord> file =
        new DataFileStream<>(
            new ByteArrayInputStream(bytes.toByteArray()), new GenericDatumReader<>())) {
      for (String key : file.getMetaKeys()) {
        metadata.put(key, file.getMetaString(key));
      }
    }
    return metadata;
  }

  @Test
  void headTellsReadersOfWhichZoneAndCalendarDatesAndTimesAre() throws IOException {
    assertThat(metadata())
        .containsExactly(
            Map.entry("avro.schema", SCHEMA.toString()),
            Map.entry("avro.codec", "null"),
            Map.entry("tidemark.entry", ENTRY.toString()),
            Map.entry("writer.time.zone", "UTC"),
            Map.entry("writer.proleptic", "true"),
            Map.entry("org.apache.spark.version", "3.0.0"));
  }
}
