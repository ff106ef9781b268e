package io.tidemark.registry.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.registry.SchemaId;
import io.tidemark.registry.SchemaNotFoundException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

final class WireFormatTest {

  @Test
  void idIsReadInNetworkOrder() throws UnframedDatumException {
    assertThat(WireFormat.idOf(hex("000000126706666f6f"))).isEqualTo(4711);
  }

  @Test
  void emptyDatumIsFramed() throws UnframedDatumException {
    assertThat(WireFormat.idOf(hex("0000000001"))).isEqualTo(1);
  }

  @Test
  void damagedIdComesBackAsItStands() throws UnframedDatumException {
    assertThat(WireFormat.idOf(hex("00ffffff80"))).isEqualTo(-128);
  }

  @Test
  void emptyValueIsUnframed() {
    assertThatThrownBy(() -> WireFormat.idOf(new byte[0]))
        .isInstanceOf(UnframedDatumException.class)
        .hasMessage(
            "no schema id at the start of a value of 0 bytes: expected a byte 00 and 4 bytes of id."
                + " The value is too short for a schema id. Configure the producer for Confluent's"
                + " Avro serializer, or skip such records.");
  }

  @Test
  void shortValueIsUnframedAndShown() {
    assertThatThrownBy(() -> WireFormat.idOf(hex("00000001")))
        .isInstanceOf(UnframedDatumException.class)
        .hasMessageContaining("a value of 4 bytes (00 00 00 01)")
        .hasMessageContaining("too short");
  }

  /** Apicurio's serializer, with ids in headers or of 8 bytes. */
  @Test
  void settingsOfApicuriosSerializerAreNamed() {
    assertThatThrownBy(() -> WireFormat.idOf(hex("0861626364")))
        .isInstanceOf(UnframedDatumException.class)
        .hasMessageContaining("unless apicurio.registry.headers.enabled=false");
    assertThat(SchemaNotFoundException.unknown(SchemaId.of(0), 40_403, "http://registry"))
        .hasMessageContaining("schema id 0 is unknown to http://registry")
        .hasMessageContaining("apicurio.registry.as-confluent=true")
        .hasMessageContaining("Check schema.registry.url, or skip such records.");
  }

  @Test
  void jsonIsNamedAsSuch() {
    byte[] json = "{\"id\": 1, \"name\": \"x\"}".getBytes(StandardCharsets.US_ASCII);
    assertThatThrownBy(() -> WireFormat.idOf(json))
        .isInstanceOf(UnframedDatumException.class)
        .hasMessageContaining("(7b 22 69 64 22 3a 20 31 2c 20 22 6e 61 6d 65 22 ...)")
        .hasMessageContaining("looks like JSON");
  }

  @Test
  void schemaGuidIsNamedAsSuch() {
    assertThatThrownBy(() -> WireFormat.idOf(hex("0189791762233640d89d1e8c8f4b5e2ea702")))
        .isInstanceOf(UnframedDatumException.class)
        .hasMessageContaining("schema GUID");
  }

  private static byte[] hex(String digits) {
    return HexFormat.of().parseHex(digits);
  }
}
