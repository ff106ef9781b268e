package io.tidemark.registry.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.registry.RegisteredSchema;
import io.tidemark.registry.SchemaId;
import io.tidemark.registry.SchemaRegistry;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Properties of a schema are kept, as readers of files may need them, so the cache weighs them. */
final class HeapOfSchemasTest {
  private static final int SCHEMAS = 40;

  @TempDir private Path directory;

  @Test
  void schemasWithLargePropertiesDoNotExhaustTheHeap() throws Exception {
    Path log = directory.resolve("log");
    Process client =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty(
                    "surefire.test.class.path", System.getProperty("java.class.path")),
                HeapOfSchemasTest.class.getName())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    try {
      assertThat(client.waitFor(5, TimeUnit.MINUTES)).as("it ends by itself").isTrue();
    } finally {
      client.destroyForcibly();
    }
    assertThat(client.exitValue()).as(Files.readString(log)).isZero();
  }

  /** Looks up schemas of a megabyte, each with properties that take about 30 MB of the heap. */
  public static void main(String[] args) throws Exception {
    String properties = "{},".repeat(349_000) + "{}";
    CachingSchemaRegistry cache =
        new CachingSchemaRegistry(new Hostile(properties), CacheSettings.DEFAULT);
    for (int id = 1; id <= SCHEMAS; id++) {
      assertThat(cache.schema(SchemaId.of(id)).schema().hasProps()).isTrue();
      assertThat(cache.weight()).isLessThan(CacheSettings.DEFAULT.maxBytes());
    }
  }

  private record Hostile(String properties) implements SchemaRegistry {
    @Override
    public RegisteredSchema schema(SchemaId id) {
      String schema = "{\"type\":\"fixed\",\"name\":\"F%s\",\"size\":1,\"p\":[%s]}";
      return new RegisteredSchema(
          id, RegisteredSchema.parse(schema.formatted(id.text(), properties)));
    }

    @Override
    public String location() {
      return "memory";
    }

    @Override
    public void close() {}
  }
}
