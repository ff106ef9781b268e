package io.tidemark.avro.file;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.Map;
import org.apache.avro.Schema;
import org.apache.avro.file.DataFileReader;
import org.apache.avro.file.SeekableByteArrayInput;
import org.apache.avro.generic.GenericDatumReader;
import org.junit.jupiter.api.Test;

final class ContainerFileHeaderTest {
  private static final Schema SCHEMA = Schema.create(Schema.Type.STRING);
  private static final BlockCodec CODEC = BlockCodec.of("snappy");

  @Test
  void headerAloneIsAnEmptyFileForAvro() throws IOException {
    var header =
        new ContainerFileHeader(
            SCHEMA,
            CODEC,
            Map.of("tidemark.entry", "übrig".getBytes(UTF_8)),
            ContainerFileHeader.newSync());

    try (var reader =
        new DataFileReader<>(
            new SeekableByteArrayInput(header.encoded()), new GenericDatumReader<Object>())) {
      assertThat(reader.hasNext()).isFalse();
      assertThat(reader.getSchema()).isEqualTo(SCHEMA);
      assertThat(reader.getMetaString("avro.codec")).isEqualTo("snappy");
      assertThat(reader.getMetaString("tidemark.entry")).isEqualTo("übrig");
    }
  }

  @Test
  void keysOfAvroAreRefused() {
    assertThatThrownBy(
            () ->
                new ContainerFileHeader(
                    SCHEMA, CODEC, Map.of("avro.codec", new byte[0]), new byte[16]))
        .hasMessage(
            "metadata key \"avro.codec\" begins with \"avro.\": such keys are reserved for Avro");
  }

  @Test
  void syncMarkerOfAnotherSizeIsRefused() {
    assertThatThrownBy(() -> new ContainerFileHeader(SCHEMA, CODEC, Map.of(), new byte[15]))
        .hasMessage("a sync marker has 16 bytes, not 15");
  }

  @Test
  void syncMarkersDiffer() {
    assertThat(ContainerFileHeader.newSync()).isNotEqualTo(ContainerFileHeader.newSync());
  }
}
