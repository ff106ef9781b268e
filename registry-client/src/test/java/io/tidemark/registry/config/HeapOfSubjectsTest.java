package io.tidemark.registry.config;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import io.tidemark.registry.SchemaId;
import io.tidemark.registry.SchemaRegistry;
import io.tidemark.registry.ScriptedHost;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.avro.Schema;
import org.apache.avro.SchemaNormalization;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Subjects can have more schemas than the heap has room for. Each is found by its fingerprint. */
final class HeapOfSubjectsTest {
  private static final int SCHEMAS = 24;
  private static final String PROPERTIES = "{},".repeat(165_000) + "{}";

  @TempDir private Path directory;

  @ParameterizedTest
  @ValueSource(strings = {"confluent", "avro-1124"})
  void schemasOfLargeSubjectsDoNotExhaustTheHeap(String api) throws Exception {
    Path log = directory.resolve("log");
    Process client =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty(
                    "surefire.test.class.path", System.getProperty("java.class.path")),
                HeapOfSubjectsTest.class.getName(),
                api)
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

  /** Looks up schemas that take about 13 MB of the heap each, twice. */
  public static void main(String[] args) throws Exception {
    try (ScriptedHost host = new ScriptedHost().then(HeapOfSubjectsTest::answer);
        SchemaRegistry registry =
            RegistryConfig.parse(
                    Map.of(
                        "schema.registry.url",
                        host.url(),
                        "schema.registry.api",
                        args[0],
                        "schema.registry.id.format",
                        "single-object",
                        "schema.registry.subjects",
                        "orders",
                        "max.retries",
                        0))
                .open()) {
      for (int i = 0; i < 2 * SCHEMAS; i++) {
        Schema fixed = Schema.createFixed("F" + (1 + i % SCHEMAS), null, null, 1);
        long fingerprint = SchemaNormalization.parsingFingerprint64(fixed);
        Schema found = registry.schema(new SchemaId.Fingerprint(fingerprint)).schema();
        assertThat(found.getName()).isEqualTo(fixed.getName());
        assertThat(found.hasProps()).isTrue();
      }
      assertThat(host.requests()).as("a lookup needs one request").hasSizeLessThan(4 * SCHEMAS);
    }
  }

  private static void answer(HttpExchange exchange) throws IOException {
    String path = exchange.getRequestURI().getPath();
    String last = path.replaceFirst(".*/", "");
    String body;
    String type = "application/vnd.schemaregistry.v1+json";
    if (last.equals("all")) {
      type = "text/plain";
      body = schemas().mapToObj(id -> id + "\t" + schema(id)).collect(Collectors.joining("\n"));
    } else if (path.startsWith("/orders/")) {
      type = "text/plain";
      body = schema(Integer.parseInt(last));
    } else if (last.equals("versions")) {
      body = schemas().boxed().toList().toString();
    } else {
      body =
          "{\"subject\":\"orders\",\"version\":%s,\"id\":%s,\"schema\":\"%s\"}"
              .formatted(last, last, schema(Integer.parseInt(last)).replace("\"", "\\\""));
    }
    byte[] bytes = body.getBytes(UTF_8);
    exchange.getResponseHeaders().set("Content-Type", type);
    exchange.sendResponseHeaders(200, bytes.length);
    exchange.getResponseBody().write(bytes);
  }

  private static IntStream schemas() {
    return IntStream.rangeClosed(1, SCHEMAS);
  }

  private static String schema(int id) {
    return "{\"type\":\"fixed\",\"name\":\"F%d\",\"size\":1,\"p\":[%s]}".formatted(id, PROPERTIES);
  }
}
