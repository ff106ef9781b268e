package io.tidemark.cli.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.cli.audit.AvroBlocks.Counted;
import io.tidemark.cli.audit.AvroBlocks.DamagedFileException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.Optional;
import java.util.UUID;
import org.apache.avro.Schema;
import org.apache.avro.file.CodecFactory;
import org.apache.avro.file.DataFileWriter;
import org.apache.avro.generic.GenericDatumWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AvroBlocksTest {
  private static final UUID ENTRY = UUID.fromString("8c6d8dc8-7dc1-4a38-8e83-601ebc9ad64c");

  private static byte[] file(String codec, int records, Optional<UUID> entry) throws IOException {
    Schema schema = Schema.create(Schema.Type.LONG);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataFileWriter<Long> writer = new DataFileWriter<>(new GenericDatumWriter<Long>(schema))) {
      writer.setCodec(CodecFactory.fromString(codec)).setSyncInterval(100);
      entry.ifPresent(id -> writer.setMeta("tidemark.entry", id.toString()));
      writer.create(schema, bytes);
      for (long each = 0; each < records; each++) {
        writer.append(each * 1_000_003);
      }
    }
    return bytes.toByteArray();
  }

  private static Counted count(byte[] bytes) throws IOException, DamagedFileException {
    return AvroBlocks.count(new ByteArrayInputStream(bytes));
  }

  @ParameterizedTest
  @ValueSource(strings = {"null", "deflate", "snappy", "zstandard", "bzip2", "xz"})
  void blocksOfEveryCodecAreCountedAsAvroCountsThem(String codec) throws Exception {
    for (int records : new int[] {0, 1, 7, 5_000}) {
      assertThat(count(file(codec, records, Optional.of(ENTRY))))
          .isEqualTo(new Counted(Optional.of(ENTRY), records));
    }
  }

  @Test
  void fileOfSomebodyElseHasNoEntry() throws Exception {
    assertThat(count(file("null", 3, Optional.empty())))
        .isEqualTo(new Counted(Optional.empty(), 3));
  }

  @Test
  void fileThatIsCutAnywhereHasFewerRecordsOrIsDamaged() throws Exception {
    byte[] whole = file("null", 300, Optional.of(ENTRY));
    int shorter = 0;
    for (int length = 0; length < whole.length; length++) {
      try {
        assertThat(count(Arrays.copyOf(whole, length)).records()).isLessThan(300);
        shorter++; // The file ends after a block: only its length or its entry shows that.
      } catch (DamagedFileException e) {
        assertThat(e).hasMessageContaining("it ");
      }
    }
    assertThat(shorter).isPositive().isLessThan(100);
  }

  @Test
  void whatIsNoAvroFileIsDamaged() {
    assertThatThrownBy(
            () -> count("PAR1 and so on".getBytes(java.nio.charset.StandardCharsets.UTF_8)))
        .isInstanceOf(DamagedFileException.class)
        .hasMessage("it does not begin as an Avro container file");
    assertThatThrownBy(() -> count(new byte[0])).isInstanceOf(DamagedFileException.class);
  }

  @Test
  void numbersThatCannotBeAreDamage() throws Exception {
    byte[] bytes = file("null", 300, Optional.of(ENTRY));
    for (int at = 4; at < bytes.length; at++) {
      byte[] rotten = bytes.clone();
      Arrays.fill(rotten, at, Math.min(at + 12, rotten.length), (byte) 0xff);
      try {
        assertThat(count(rotten).records()).isNotNegative();
      } catch (DamagedFileException e) {
        assertThat(e.getMessage()).isNotBlank();
      }
    }
  }
}
