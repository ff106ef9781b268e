package io.tidemark.registry.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

final class WireFormatPropertyTest {

  @Property
  void everyIdIsReadBack(@ForAll int id, @ForAll byte[] datum) throws UnframedDatumException {
    byte[] value =
        ByteBuffer.allocate(WireFormat.DATUM_OFFSET + datum.length)
            .put((byte) 0)
            .putInt(id)
            .put(datum)
            .array();
    assertThat(WireFormat.idOf(value)).isEqualTo(id);
  }

  @Property
  void whateverIsNotFramedIsRefusedAsThat(@ForAll byte[] value) throws UnframedDatumException {
    if (value.length >= WireFormat.DATUM_OFFSET && value[0] == 0) {
      assertThat(WireFormat.idOf(value)).isEqualTo(ByteBuffer.wrap(value, 1, 4).getInt());
    } else {
      assertThatThrownBy(() -> WireFormat.idOf(value)).isInstanceOf(UnframedDatumException.class);
    }
  }
}
