package io.tidemark.registry.confluent;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import io.tidemark.registry.ScriptedHost;
import io.tidemark.registry.http.HttpSettings;
import java.io.IOException;
import java.util.List;
import java.util.NavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.apache.avro.SchemaNormalization;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The cache of versions. It is valid only as long as the registry has them. */
@Timeout(20)
final class SubjectVersionsTest {
  private static final int CONFIRM_MS = 600_000;

  private final NavigableMap<Integer, String> documents = new ConcurrentSkipListMap<>();
  private final ScriptedHost host = new ScriptedHost().then(this::answer);
  private final ConfluentRegistry registry =
      new ConfluentRegistry(
          HttpSettings.builder(host.url()).rounds(1).totalTimeoutMs(10_000).build(),
          SchemaContext.DEFAULT);
  private long nowNanos = 5;
  private final SubjectVersions versions =
      new SubjectVersions(registry.subjects(), CONFIRM_MS, () -> nowNanos);

  @AfterEach
  void stop() {
    registry.close();
    host.close();
  }

  @Test
  void onlyTheNewestVersionIsAskedForAgain() throws Exception {
    has(1, 1, "long");
    has(2, 2, "string");
    assertThat(types()).containsExactly(Schema.Type.LONG, Schema.Type.STRING);
    has(3, 3, "bytes");
    assertThat(types()).containsExactly(Schema.Type.LONG, Schema.Type.STRING, Schema.Type.BYTES);
    assertThat(types()).containsExactly(Schema.Type.LONG, Schema.Type.STRING, Schema.Type.BYTES);
    assertThat(host.requests().stream().map(path -> path.replaceFirst(".*/", "")))
        .containsExactly("versions", "1", "2", "versions", "2", "3", "versions", "3");
  }

  @Test
  void registryThatWasWipedAndGivesTheSameVersionsAgainIsReadAnew() throws Exception {
    has(1, 1, "long");
    assertThat(types()).containsExactly(Schema.Type.LONG);
    has(1, 1, "string");
    assertThat(types()).containsExactly(Schema.Type.STRING);
  }

  @Test
  void wipedRegistryThatHasMoreVersionsByNowIsReadAnew() throws Exception {
    has(1, 1, "long");
    assertThat(types()).containsExactly(Schema.Type.LONG);
    has(1, 1, "string");
    has(2, 2, "bytes");
    assertThat(types()).containsExactly(Schema.Type.STRING, Schema.Type.BYTES);
  }

  @Test
  void wipedRegistryThatHasFewerVersionsIsReadAnew() throws Exception {
    has(1, 1, "long");
    has(2, 2, "string");
    assertThat(types()).containsExactly(Schema.Type.LONG, Schema.Type.STRING);
    documents.clear();
    has(1, 1, "bytes");
    assertThat(types()).containsExactly(Schema.Type.BYTES);
  }

  @Test
  void versionThatWasNotAvrosMayBeOneAfterAWipe() throws Exception {
    documents.put(
        1,
        "{\"subject\":\"orders\",\"version\":1,\"id\":1,\"schemaType\":\"JSON\",\"schema\":\"{}\"}");
    assertThat(types()).isEmpty();
    has(1, 1, "string");
    assertThat(types()).containsExactly(Schema.Type.STRING);
  }

  @Test
  void olderVersionThatAloneHasChangedIsSeenOnceTheIntervalIsOver() throws Exception {
    has(1, 1, "long");
    has(2, 2, "string");
    assertThat(types()).containsExactly(Schema.Type.LONG, Schema.Type.STRING);
    has(1, 7, "bytes");
    nowNanos += TimeUnit.MILLISECONDS.toNanos(CONFIRM_MS);
    assertThat(types()).containsExactly(Schema.Type.BYTES, Schema.Type.STRING);
  }

  private List<Schema.Type> types() throws Exception {
    return versions.ids("orders").keySet().stream()
        .map(
            fingerprint ->
                Stream.of(Schema.Type.LONG, Schema.Type.STRING, Schema.Type.BYTES)
                    .filter(type -> fingerprint(type) == fingerprint)
                    .findFirst()
                    .orElseThrow())
        .toList();
  }

  private static long fingerprint(Schema.Type type) {
    return SchemaNormalization.parsingFingerprint64(Schema.create(type));
  }

  private void has(int version, int id, String type) {
    documents.put(
        version,
        "{\"subject\":\"orders\",\"version\":%d,\"id\":%d,\"schema\":\"\\\"%s\\\"\"}"
            .formatted(version, id, type));
  }

  /** Answers {@code /subjects/orders/versions} and {@code /subjects/orders/versions/3}. */
  private void answer(HttpExchange exchange) throws IOException {
    String last = exchange.getRequestURI().getPath().replaceFirst(".*/", "");
    String body =
        last.equals("versions")
            ? documents.keySet().toString()
            : documents.getOrDefault(Integer.parseInt(last), "");
    byte[] bytes = body.getBytes(UTF_8);
    exchange.getResponseHeaders().set("Content-Type", "application/vnd.schemaregistry.v1+json");
    exchange.sendResponseHeaders(200, bytes.length);
    exchange.getResponseBody().write(bytes);
  }
}
