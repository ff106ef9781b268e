package io.tidemark.registry.wire;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.lifecycle.AfterProperty;

/** Arbitrary bytes as records and as headers. */
final class SchemaIdReaderPropertyTest {
  private int framed;

  @Property
  void anyBytesHaveAnIdInsideOfThemOrAreRefused(
      @ForAll IdFormat format,
      @ForAll boolean hasHeader,
      @ForAll @Size(max = 40) byte[] header,
      @ForAll @Size(max = 40) byte[] first,
      @ForAll @Size(max = 40) byte[] second) {
    SchemaIdReader reader = format.reader("quotes");
    // A reader remembers the previous record.
    for (byte[] value : new byte[][] {first, second, first}) {
      try {
        Framing framing = reader.read(hasHeader ? header : null, value);
        assertThat(framing.datumOffset()).isBetween(0, value.length);
        assertThat(framing.id().text()).isNotEmpty();
        framed++;
      } catch (UnframedDatumException e) {
        assertThat(e).hasMessageContaining("schema id");
      }
    }
  }

  @AfterProperty
  void someHadOne() {
    assertThat(framed).isPositive();
  }
}
