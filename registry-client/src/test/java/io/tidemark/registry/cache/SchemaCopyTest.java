package io.tidemark.registry.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.registry.RegisteredSchema;
import io.tidemark.registry.RegistryUnavailableException;
import io.tidemark.registry.SchemaId;
import io.tidemark.registry.SchemaRegistry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(30)
final class SchemaCopyTest {
  private static final List<SchemaId> IDS =
      List.of(
          SchemaId.of(4711),
          SchemaId.of(-1),
          new SchemaId.Guid(new UUID(1, -2)),
          new SchemaId.OfSubject("orders \"é\"\n", "3"),
          new SchemaId.Fingerprint(Long.MIN_VALUE));

  private static final String HEAD = "{\"format\":\"tidemark-schemas\",\"version\":1";

  @TempDir Path directory;

  @Test
  void schemasOutliveARestartWhileTheRegistryIsAway() throws Exception {
    fill(file(), "http://a", 1_000_000);
    try (CachingSchemaRegistry cache = open(file(), "http://a", true, 1_000_000)) {
      for (SchemaId id : IDS) {
        assertThat(cache.schema(id)).isEqualTo(new RegisteredSchema(id, schema(id)));
      }
      assertThatThrownBy(() -> cache.schema(SchemaId.of(5)))
          .isInstanceOf(RegistryUnavailableException.class);
    }
    assertThat(temporaries()).isEmpty();
  }

  @Test
  void schemaOfAnOddNameIsKeptAsItWasRegistered() throws Exception {
    Schema odd =
        RegisteredSchema.parser()
            .parse(
                "{\"type\":\"record\",\"name\":\"old-record\",\"fields\":["
                    + "{\"name\":\"my-field\",\"type\":\"int\",\"default\":\"none\"}]}");
    SchemaCopy copy = SchemaCopy.open(file(), "http://a", 1_000, 1 << 20);
    copy.add(new RegisteredSchema(SchemaId.of(1), odd));
    copy.close();
    try (SchemaCopy reopened = SchemaCopy.open(file(), "http://a", 1_000, 1 << 20)) {
      assertThat(reopened.find(SchemaId.of(1)).map(RegisteredSchema::schema)).contains(odd);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "\n",
        "not json\n",
        "{}\n",
        "{\"version\":1,\"format\":\"tidemark-schemas\"}\n",
        "# the worker's properties\nssl.key.password=secret\n"
      })
  void fileOfAnotherProgramIsNeverReplaced(String content) throws Exception {
    Files.writeString(file(), content);
    fill(file(), "http://a", 1_000_000);
    assertThat(file()).hasContent(content);
    assertThat(temporaries()).isEmpty();
  }

  @Test
  void linkToAFileOfAnotherProgramIsNeverReplaced() throws Exception {
    Path other = Files.writeString(directory.resolve("other"), "not ours");
    Files.createSymbolicLink(file(), other);
    fill(file(), "http://a", 1_000_000);
    assertThat(file()).isSymbolicLink();
    assertThat(other).hasContent("not ours");
  }

  @Test
  void textOfAFileCannotForgeALineOfTheLog() throws Exception {
    String forged = "http://b\\nERROR the registry was wiped\\u001b[31m";
    Files.writeString(
        file(),
        "{\"format\":\"tidemark-schemas\",\"version\":1,\"registry\":\"" + forged + "\"}\n");
    PrintStream before = System.err;
    ByteArrayOutputStream log = new ByteArrayOutputStream();
    System.setErr(new PrintStream(log, true, StandardCharsets.UTF_8));
    try {
      SchemaCopy.open(file(), "http://a", 1_000, 1 << 20).close();
    } finally {
      System.setErr(before);
    }
    assertThat(log.toString(StandardCharsets.UTF_8))
        .contains("is ignored: it is the cache file of http://b ERROR the registry was wiped [31m")
        .doesNotContain("\u001b")
        .containsOnlyOnce("\n");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"format\":\"tidemark-schemas\",\"version\":2,\"registry\":\"http://a\"}\n",
        "{\"format\":\"tidemark-schemas\"",
        "{\"format\":\"tidemark-schemas\",\"version\":1,\"registry\":\"http://a\",\"crc32c\":\"0\"}\n{"
      })
  void fileOfAnotherVersionIsIgnoredAndWrittenAnew(String content) throws Exception {
    Files.writeString(file(), content);
    assertIsWrittenAnew();
  }

  @Test
  void damagedFileIsIgnoredAndWrittenAnew() throws Exception {
    fill(file(), "http://a", 1_000_000);
    byte[] sound = Files.readAllBytes(file());
    for (int at = 0; at < sound.length; at += 7) {
      byte[] damaged = sound.clone();
      damaged[at] ^= 1;
      Files.write(file(), damaged);
      assertNothingFalseIsRead();
    }
    for (int length = 0; length < sound.length; length += 7) {
      Files.write(file(), Arrays.copyOf(sound, length));
      assertNothingFalseIsRead();
    }
    assertIsWrittenAnew();
  }

  @Test
  void copyOfAnotherRegistryIsIgnoredAndWrittenAnew() throws Exception {
    fill(file(), "http://b", 1_000_000);
    assertIsWrittenAnew();
  }

  @Test
  void oldestSchemasMakeRoom() throws Exception {
    SchemaCopy copy = SchemaCopy.open(file(), "http://a", 100, 1 << 20);
    for (int id = 1; id <= 50; id++) {
      copy.add(new RegisteredSchema(SchemaId.of(id), schema(SchemaId.of(id))));
    }
    copy.close();
    try (SchemaCopy reopened = SchemaCopy.open(file(), "http://a", 100, 1 << 20)) {
      assertThat(reopened.find(SchemaId.of(1))).isEqualTo(Optional.empty());
      assertThat(reopened.find(SchemaId.of(50))).isPresent();
    }
  }

  /** If the limit is lowered because a schema is hostile, the file must not bring it back. */
  @Test
  void schemaAboveALoweredLimitIsLookedUpInTheRegistry() throws Exception {
    SchemaId small = SchemaId.of(1);
    int limit = schema(small).toString().getBytes(StandardCharsets.UTF_8).length;
    SchemaId large = new SchemaId.OfSubject("é".repeat(limit), "1");
    SchemaCopy copy = SchemaCopy.open(file(), "http://a", 1_000_000, 1 << 20);
    copy.add(new RegisteredSchema(small, schema(small)));
    copy.add(new RegisteredSchema(large, schema(large)));
    copy.close();
    try (SchemaCopy lowered = SchemaCopy.open(file(), "http://a", 1_000_000, limit)) {
      assertThat(lowered.find(small)).isPresent();
      assertThat(lowered.find(large)).isEmpty();
    }
    try (SchemaCopy tooLow = SchemaCopy.open(file(), "http://a", 1_000_000, limit - 1)) {
      assertThat(tooLow.find(small)).isEmpty();
    }
  }

  @Test
  void fileThatCannotBeWrittenHindersNothing() throws Exception {
    Path occupied = Files.writeString(directory.resolve("occupied"), "no directory");
    Path file = occupied.resolve("schemas");
    try (CachingSchemaRegistry cache = open(file, "http://a", false, 1_000)) {
      assertThat(cache.schema(SchemaId.of(1)).id()).isEqualTo(SchemaId.of(1));
    }
  }

  @Test
  void leftoversOfAKilledProcessAreDeleted() throws Exception {
    Path old = Files.writeString(directory.resolve("schemas.jsonl.1.tmp"), HEAD);
    Path young = Files.writeString(directory.resolve("schemas.jsonl.2.tmp"), "being written");
    Path other = Files.writeString(directory.resolve("schemas.1.tmp"), "somebody else's");
    Path foreign = Files.writeString(directory.resolve("schemas.jsonl.3.tmp"), "not ours");
    for (Path file : List.of(old, other, foreign)) {
      Files.setLastModifiedTime(file, FileTime.fromMillis(0));
    }
    SchemaCopy.open(file(), "http://a", 1_000, 1 << 20).close();
    assertThat(old).doesNotExist();
    assertThat(young).exists();
    assertThat(other).exists();
    assertThat(foreign).exists();
  }

  private void assertIsWrittenAnew() throws Exception {
    fill(file(), "http://a", 1_000_000);
    try (CachingSchemaRegistry cache = open(file(), "http://a", true, 1_000_000)) {
      assertThat(cache.schema(IDS.get(0)).schema()).isEqualTo(schema(IDS.get(0)));
    }
  }

  /** With any bytes in the file, a schema is either correct or absent. */
  private void assertNothingFalseIsRead() throws Exception {
    SchemaCopyFile copy = new SchemaCopyFile(file(), "http://a", 1_000_000);
    try {
      copy.read()
          .forEach(
              (id, line) -> assertThat(RegisteredSchema.parse(line.text())).isEqualTo(schema(id)));
    } catch (IOException e) {
      assertThat(e).message().isNotBlank();
    }
  }

  private void fill(Path file, String registry, long maxBytes) throws Exception {
    try (CachingSchemaRegistry cache = open(file, registry, false, maxBytes)) {
      for (SchemaId id : IDS) {
        cache.schema(id);
      }
    }
  }

  private static CachingSchemaRegistry open(
      Path file, String registry, boolean away, long maxBytes) {
    return new CachingSchemaRegistry(
        new FakeRegistry(registry, away),
        new CacheSettings(100, maxBytes, 30_000, 30_000, 600_000, Optional.of(file), 1 << 20));
  }

  private Path file() {
    return directory.resolve("schemas.jsonl");
  }

  private List<Path> temporaries() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.filter(file -> file.toString().endsWith(".tmp")).toList();
    }
  }

  /** A different schema for each id. */
  private static Schema schema(SchemaId id) {
    String name = "F" + Integer.toHexString(id.hashCode());
    return Schema.createFixed(name, "of " + id, "io.example", 8);
  }

  /** A registry that has every id, unless it is unavailable. */
  private record FakeRegistry(String location, boolean away) implements SchemaRegistry {
    @Override
    public RegisteredSchema schema(SchemaId id) throws RegistryUnavailableException {
      if (away) {
        throw new RegistryUnavailableException(location + " is away", null);
      }
      return new RegisteredSchema(id, SchemaCopyTest.schema(id));
    }

    @Override
    public void close() {}
  }
}
