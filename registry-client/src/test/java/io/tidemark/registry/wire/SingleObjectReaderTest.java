package io.tidemark.registry.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.registry.SchemaId;
import java.io.IOException;
import java.util.Arrays;
import java.util.HexFormat;
import org.apache.avro.Schema;
import org.apache.avro.SchemaNormalization;
import org.apache.avro.generic.GenericData;
import org.apache.avro.message.BinaryMessageEncoder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class SingleObjectReaderTest {
  private static final Schema TEXT = Schema.create(Schema.Type.STRING);
  private static final SchemaId.Fingerprint ID =
      new SchemaId.Fingerprint(SchemaNormalization.parsingFingerprint64(TEXT));

  private final SingleObjectReader reader = new SingleObjectReader();

  @Test
  void messageOfAvrosEncoderIsRead() throws IOException, UnframedDatumException {
    byte[] value = bytes(new BinaryMessageEncoder<>(GenericData.get(), TEXT));
    assertThat(reader.read(null, value)).isEqualTo(new Framing(ID, 10));
    assertThat(SingleObjectReader.bytesOf(ID)).isEqualTo(Arrays.copyOf(value, 10));
  }

  @Test
  void specificationsBytesAreRead() throws UnframedDatumException {
    byte[] value = HexFormat.of().parseHex("c3010807060504030201");
    assertThat(reader.read(null, value).id())
        .isEqualTo(new SchemaId.Fingerprint(0x0102030405060708L));
  }

  @Test
  void neighboursWithOtherFingerprintsAreToldApart() throws UnframedDatumException {
    byte[] other = SingleObjectReader.bytesOf(new SchemaId.Fingerprint(0));
    byte[] value = SingleObjectReader.bytesOf(ID);
    Framing first = reader.read(null, value);
    assertThat(reader.read(null, value)).isSameAs(first);
    assertThat(reader.read(null, other).id()).isEqualTo(new SchemaId.Fingerprint(0));
    assertThat(reader.read(null, value)).isEqualTo(first);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "c3", "c301", "c30108070605040302", "c3020807060504030201", "00"})
  void otherBytesAreUnframed(String hex) {
    assertThatThrownBy(() -> reader.read(null, HexFormat.of().parseHex(hex)))
        .isInstanceOf(UnframedDatumException.class)
        .hasMessageContaining("expected bytes c3 01 and 8 bytes of fingerprint");
  }

  private static byte[] bytes(BinaryMessageEncoder<CharSequence> encoder) throws IOException {
    var buffer = encoder.encode("foo");
    byte[] bytes = new byte[buffer.remaining()];
    buffer.get(bytes);
    return bytes;
  }
}
