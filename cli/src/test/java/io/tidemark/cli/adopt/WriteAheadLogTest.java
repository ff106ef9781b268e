package io.tidemark.cli.adopt;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.cli.adopt.WriteAheadLog.Rename;
import io.tidemark.store.StoragePath;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class WriteAheadLogTest {
  private static final StoragePath PATH = new StoragePath("/logs/orders/0/log");
  private static final String URL = "hdfs://namenode:8020";

  private static WriteAheadLog read(byte[] bytes) throws IOException {
    return new WriteAheadLogReader(PATH, bytes.length, new ByteArrayInputStream(bytes)).read();
  }

  private static String temporary(int file) {
    return URL + "/topics//+tmp/orders/city=" + file + "/1_tmp.avro";
  }

  private static String target(int file) {
    return URL + "/topics/orders/city=" + file + "/orders+0+000000000" + file + "+0000000009.avro";
  }

  /** Two blocks, a sync mark, and one without END. */
  private static byte[] threeBlocks() {
    return new LogBytes()
        .begin()
        .entry(temporary(1), target(1))
        .end()
        .begin()
        .entry(temporary(2), target(2))
        .sync()
        .entry(temporary(3), target(3))
        .end()
        .begin()
        .entry(temporary(4), target(4))
        .bytes();
  }

  @Test
  void lastCompleteBlockAndTheOneWithoutEndAreKept() throws IOException {
    WriteAheadLog log = read(threeBlocks());

    assertThat(log.damage()).isEmpty();
    assertThat(log.blocks()).isEqualTo(2);
    assertThat(log.last().orElseThrow().renames()).containsExactly(rename(2), rename(3));
    assertThat(log.open().orElseThrow().renames()).containsExactly(rename(4));
    assertThat(log.authorities()).containsExactly("namenode:8020");
  }

  private static Rename rename(int file) {
    return new Rename(
        new StoragePath("/topics/+tmp/orders/city=" + file + "/1_tmp.avro"),
        new StoragePath(target(file).substring(URL.length())));
  }

  @Test
  void blockWithoutRenamesDoesNotReplaceTheLastOne() throws IOException {
    WriteAheadLog log =
        read(new LogBytes().begin().entry(temporary(1), target(1)).end().begin().end().bytes());

    assertThat(log.last().orElseThrow().renames()).containsExactly(rename(1));
    assertThat(log.open()).isEmpty();
  }

  @Test
  void slashesCollapseAndAnotherAuthorityIsKept() throws IOException {
    String name = "orders+0+0000000000+0000000009.avro";
    WriteAheadLog log =
        read(
            new LogBytes()
                .begin()
                .entry("hdfs://old-cluster///lake//+tmp///orders/a_tmp.avro", "file:/lake//" + name)
                .entry("hdfs:///lake/+tmp/b_tmp.avro", "/lake/50% #\n?/" + name)
                .end()
                .bytes());

    assertThat(log.damage()).isEmpty();
    assertThat(log.last().orElseThrow().renames())
        .containsExactly(
            new Rename(
                new StoragePath("/lake/+tmp/orders/a_tmp.avro"), new StoragePath("/lake/" + name)),
            new Rename(
                new StoragePath("/lake/+tmp/b_tmp.avro"),
                new StoragePath("/lake/50% #\n?/" + name)));
    assertThat(log.authorities()).containsExactlyInAnyOrder("old-cluster", "");
  }

  @Test
  void longPathsHaveLongerLengths() throws IOException {
    for (int length : List.of(100, 127, 128, 200, 255, 256, 4_000)) {
      String directory = "/" + "é".repeat(length / 2);
      WriteAheadLog log =
          read(new LogBytes().begin().entry(directory + "/t", directory + "/a").end().bytes());
      assertThat(log.damage()).as("length %d", length).isEmpty();
      assertThat(log.last().orElseThrow().renames().get(0).target().value())
          .isEqualTo(directory + "/a");
    }
  }

  @Test
  void cutLogNeverHasABlockThatIsNotThere() throws IOException {
    byte[] whole = threeBlocks();
    for (int length = 0; length <= whole.length; length++) {
      WriteAheadLog log = read(Arrays.copyOf(whole, length));
      assertThat(log.damage()).as("length %d", length).isEmpty();
      assertThat(log.bytes()).isEqualTo(length);
      long ends = 0;
      for (int at = 0; at + 4 <= length; at++) {
        ends += new String(whole, at, 4, StandardCharsets.US_ASCII).equals("\3END") ? 1 : 0;
      }
      // The value of END is a text of one byte after the key.
      boolean withinEnd =
          length >= 4
              && new String(whole, length - 4, 4, StandardCharsets.US_ASCII).equals("\3END");
      assertThat(log.blocks()).as("length %d", length).isEqualTo(withinEnd ? ends - 1 : ends);
    }
  }

  @Test
  void twentyBytesAreTheHeaderAndThirtyFiveHaveTheFirstBegin() throws IOException {
    assertThat(read(Arrays.copyOf(threeBlocks(), 20)).open()).isEmpty();
    assertThat(read(Arrays.copyOf(threeBlocks(), 35)).open().orElseThrow().renames()).isEmpty();
  }

  @Test
  void changedByteOfTheStructureIsFound() throws IOException {
    byte[] whole = threeBlocks();
    WriteAheadLog before = read(whole);
    int found = 0;
    for (int at = 0; at < whole.length; at++) {
      byte[] changed = whole.clone();
      changed[at] ^= (byte) 0x80;
      WriteAheadLog log = read(changed);
      // Else the log ends early, or a name differs, which Decider compares with the files.
      if (log.damage().isPresent()) {
        found++;
        assertThat(log.damage().get()).startsWith("at byte ");
      } else {
        assertThat(log).as("byte %d", at).isNotEqualTo(before);
      }
    }
    assertThat(found).isGreaterThan(whole.length * 9 / 10);
  }

  @Test
  void otherFilesAreNotLogs() throws IOException {
    assertThat(
            read("SEQ and more bytes than a header".getBytes(StandardCharsets.US_ASCII)).damage())
        .hasValue("at byte 0: it does not begin as a log of version 0");
    assertThat(read(new LogBytes().end().bytes()).damage())
        .hasValue("at byte 20: an entry is not in a block");
    assertThat(read(new LogBytes().begin().entry("STOP", "").bytes()).damage())
        .hasValue("at byte 35: an entry has \"STOP\" for a URI");
  }

  @Test
  void emptyLogHasNoBlock() throws IOException {
    WriteAheadLog log = read(new byte[0]);

    assertThat(log.damage()).isEmpty();
    assertThat(log.last()).isEmpty();
    assertThat(log.open()).isEmpty();
  }
}
