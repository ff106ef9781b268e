package io.tidemark.registry.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.registry.SchemaId;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

final class SubjectFramingReaderTest {

  static List<String> vectors() throws IOException {
    try (InputStream in =
        SubjectFramingReaderTest.class.getResourceAsStream("/wire/subject-ids.txt")) {
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
    SubjectIdLayout layout = SubjectIdLayout.valueOf(parts[0].strip());
    byte[] value = HexFormat.of().parseHex(parts[1].replace(" ", ""));
    String id = parts[2].strip();
    SubjectFramingReader reader = new SubjectFramingReader("orders", layout);
    if (id.equals("unframed")) {
      assertThatThrownBy(() -> reader.read(null, value))
          .isInstanceOf(UnframedDatumException.class)
          .hasMessageContaining("expected " + layout.described());
    } else {
      Framing framing = reader.read(null, value);
      assertThat(framing)
          .isEqualTo(
              new Framing(
                  new SchemaId.OfSubject("orders", id), Integer.parseInt(parts[3].strip())));
      assertThat(layout.bytesOf(id)).isEqualTo(Arrays.copyOf(value, framing.datumOffset()));
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"UINT16_TEXT", "VARINT_TEXT"})
  void idsOfEveryLengthAreReadBack(SubjectIdLayout layout) throws UnframedDatumException {
    SubjectFramingReader reader = new SubjectFramingReader("orders", layout);
    for (int length : new int[] {1, 63, 64, 255, 256, 1_024}) {
      String id = "x".repeat(length);
      assertThat(reader.read(null, layout.bytesOf(id)).id())
          .isEqualTo(new SchemaId.OfSubject("orders", id));
    }
    assertThatThrownBy(() -> layout.bytesOf("x".repeat(1_025)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @ParameterizedTest
  @EnumSource
  void neighboursWithOtherIdsAreToldApartAndARunAllocatesNothing(SubjectIdLayout layout)
      throws UnframedDatumException {
    SubjectFramingReader reader = new SubjectFramingReader("orders", layout);
    byte[] first = layout.bytesOf("3");
    byte[] second = layout.bytesOf("33");
    Framing known = reader.read(null, first);
    assertThat(reader.read(null, second).id()).isEqualTo(new SchemaId.OfSubject("orders", "33"));
    assertThat(reader.read(null, first)).isEqualTo(known);

    var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadAllocatedBytes();
    for (int i = 0; i < 100_000; i++) {
      reader.read(null, first);
    }
    assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(100_000);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "v3", "007", "-0", "99999999999", "9999999999"})
  void idThatIsNoInt32HasNoSuchLayout(String id) {
    assertThatThrownBy(() -> SubjectIdLayout.INT32.bytesOf(id))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void subjectIsNamedByATemplate() {
    assertThat(SubjectTemplate.TOPIC.subject("orders")).isEqualTo("orders");
    assertThat(new SubjectTemplate("${topic}-value").subject("orders")).isEqualTo("orders-value");
    for (String text : List.of("", "${tpic}", "${topic}-${record}")) {
      assertThatThrownBy(() -> new SubjectTemplate(text)).hasMessageContaining("is not a subject");
    }
  }

  @Test
  void idOfAProducersBytesStaysOnItsLine() {
    SchemaId id =
        new SchemaId.OfSubject("orders", "7\nERROR all is lost\u2028\u202e" + "x".repeat(900));
    assertThat(id.toString())
        .startsWith("schema id 7 ERROR all is lost  xxx")
        .hasSizeLessThan(300)
        .doesNotContain("\n", "\u2028", "\u202e");
  }
}
