package io.tidemark.registry.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.registry.SchemaId;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class FramingReaderTest {
  private final FramingReader reader = new FramingReader();

  static List<String> vectors() throws IOException {
    try (InputStream in = FramingReaderTest.class.getResourceAsStream("/wire/confluent.txt")) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .filter(line -> !line.startsWith("#"))
          .toList();
    }
  }

  @ParameterizedTest
  @MethodSource("vectors")
  void vectorIsReadAsItSays(String vector) throws UnframedDatumException {
    String[] parts = vector.split("\\|", -1);
    byte[] value = hex(parts[1]);
    String expected = parts[2].strip();
    if (expected.equals("unframed")) {
      assertThatThrownBy(() -> read(parts[0], value)).isInstanceOf(UnframedDatumException.class);
    } else {
      Framing framing = read(parts[0], value);
      assertThat(framing).isEqualTo(new Framing(id(expected), Integer.parseInt(parts[3].strip())));
      byte[] bytes = parts[0].isBlank() || parts[0].strip().equals("-") ? value : hex(parts[0]);
      assertThat(bytes).startsWith(WireFormat.bytesOf(framing.id()));
    }
  }

  @Test
  void headerThatCannotBeReadIsShown() {
    assertThatThrownBy(() -> reader.read(hex("0007"), hex("0000000001")))
        .isInstanceOf(UnframedDatumException.class)
        .hasMessageStartingWith("no schema id in a header of 2 bytes (00 07): expected a byte 00");
  }

  @Test
  void runOfOneIdAllocatesNothing() throws UnframedDatumException {
    byte[] int32 = hex("0000001267 06");
    byte[] guid = hex("0189791762233640d89d1e8c8f4b5e2ea7 06");
    run(int32, guid);
    var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadAllocatedBytes();
    run(int32, guid);
    assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(100_000);
  }

  @Test
  void idsOfOtherRegistriesHaveNoLayoutHere() {
    assertThatThrownBy(() -> WireFormat.bytesOf(new SchemaId.OfSubject("orders", "3")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("schema id 3 of subject orders has no layout");
  }

  private void run(byte[] int32, byte[] guid) throws UnframedDatumException {
    for (int i = 0; i < 100_000; i++) {
      reader.read(null, int32);
      reader.read(null, guid);
    }
  }

  private Framing read(String header, byte[] value) throws UnframedDatumException {
    return reader.read(header.strip().equals("-") ? null : hex(header), value);
  }

  private static SchemaId id(String text) {
    String value = text.substring(text.indexOf(' ') + 1);
    return text.startsWith("int32")
        ? SchemaId.of(Integer.parseInt(value))
        : new SchemaId.Guid(UUID.fromString(value));
  }

  private static byte[] hex(String digits) {
    return HexFormat.of().parseHex(digits.replace(" ", ""));
  }
}
