package io.tidemark.registry.schemarepo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.registry.RegistryException;
import io.tidemark.registry.RegistryUnavailableException;
import io.tidemark.registry.SchemaId;
import io.tidemark.registry.SchemaNotFoundException;
import io.tidemark.registry.ScriptedHost;
import io.tidemark.registry.http.HttpSettings;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.avro.Schema;
import org.assertj.core.api.AbstractThrowableAssert;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Cases that a real server does not show on request, over real HTTP. */
@Timeout(20)
final class SchemaRepoRegistryTest {
  private static final SchemaId.OfSubject ID = new SchemaId.OfSubject("orders", "3");
  private static final Schema LONG = Schema.create(Schema.Type.LONG);

  private final ScriptedHost host = new ScriptedHost();
  private final SchemaRepoRegistry registry =
      new SchemaRepoRegistry(
          HttpSettings.builder(host.url() + "/schema-repo")
              .rounds(2)
              .backoffMs(1)
              .maxBackoffMs(1)
              .build());

  @AfterEach
  void stop() {
    registry.close();
    host.close();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "404|text/html|<html>Not Found</html>|returned HTTP 404 without a registry's error code",
        "404|text/plain|Not Found|returned HTTP 404 without a registry's error code",
        "200|text/html|<html>Sign in</html>|but not a schema (text/html)",
        "200|application/octet-stream|xyz|but not a schema (application/octet-stream)",
        "429|text/plain|ERROR: slow down|returned HTTP 429",
        "500|text/html|<html>|returned HTTP 500",
        "503|text/plain|ERROR: This schema does not exist.|returned HTTP 503",
        "401|text/plain|ERROR: who are you|returned HTTP 401",
      })
  void whatIsNotTheRegistrysNoIsUnavailable(
      int status, String contentType, String body, String problem) {
    host.then(status, contentType, body);
    assertUnavailable(() -> registry.schema(ID)).hasMessageContaining(problem);
    assertUnavailable(() -> registry.subjects().exists("orders"));
    assertUnavailable(() -> registry.subjects().find("orders", LONG));
    assertUnavailable(() -> registry.subjects().latest("orders"));
    assertUnavailable(() -> registry.subjects().all("orders"));
    assertUnavailable(() -> registry.subjects().names());
  }

  @Test
  void largeTextIsNotParsed() throws Exception {
    host.then(200, "text/plain", "0\t\"long\"\n1\t\"" + "x".repeat(1 << 20) + "\"");
    host.then(200, "text/plain", "\"long\"" + " ".repeat(1 << 20));
    assertThat(registry.subjects().ids("orders")).hasSize(1);
    assertThatThrownBy(() -> registry.schema(ID))
        .isInstanceOf(SchemaNotFoundException.class)
        .hasMessageContaining("has more than 1048576 bytes of text");
  }

  /** Each token or line becomes an object: an answer of 16 MiB could need a gigabyte of heap. */
  @ParameterizedTest
  @CsvSource({"application/json", "text/plain"})
  void answerOfMoreThanAMillionValuesIsNoList(String mediaType) {
    boolean json = mediaType.equals("application/json");
    String names =
        json
            ? "[{\"name\":\"a\"}" + ",{\"name\":\"a\"}".repeat(250_000) + "]"
            : "a\n".repeat(1_000_001);
    String entry = "{\"id\":\"0\",\"schema\":\"1\"}";
    String entries =
        json ? "[" + entry + ("," + entry).repeat(170_000) + "]" : "0\t1\n".repeat(1_000_001);
    host.then(200, mediaType, names).then(200, mediaType, names);
    assertUnavailable(() -> registry.subjects().names())
        .hasMessageContaining("returned HTTP 200, but not a list of subjects");

    host.then(200, mediaType, entries).then(200, mediaType, entries);
    assertUnavailable(() -> registry.subjects().all("orders"))
        .hasMessageContaining("returned HTTP 200, but not a list of ids and schemas");
  }

  @Test
  void configurationOfMoreThanAMillionLinesIsNone() {
    host.then(200, "text/plain", "a=\n".repeat(1_000_001));
    assertUnavailable(() -> registry.subjects().config("orders"));
  }

  @Test
  void answerThatIsNestedDeeplyOrHasMoreAfterItsEndIsNoList() {
    host.then(200, "application/json", "[".repeat(100_000) + "]".repeat(100_000));
    assertUnavailable(() -> registry.subjects().names());
    host.then(200, "application/json", "[] []");
    assertUnavailable(() -> registry.subjects().names());
  }

  @Test
  void failureThatPassesIsRetried() throws Exception {
    host.then(503, "text/html", "<html>").then(200, "text/plain", "\"long\"");
    assertThat(registry.schema(ID).schema()).isEqualTo(LONG);
    assertThat(host.requests())
        .containsExactly("/schema-repo/orders/id/3", "/schema-repo/orders/id/3");
  }

  @Test
  void halfABodyIsRetriedAndNeverTakenForASchema() throws Exception {
    byte[] whole = LONG.toString().getBytes(StandardCharsets.UTF_8);
    host.then(
            exchange -> {
              exchange.getResponseHeaders().set("Content-Type", "text/plain");
              exchange.sendResponseHeaders(200, whole.length);
              exchange.getResponseBody().write(whole, 0, whole.length / 2);
              exchange.getResponseBody().flush();
            })
        .then(200, "text/plain", LONG.toString());
    assertThat(registry.schema(ID).schema()).isEqualTo(LONG);
    assertThat(host.requests()).hasSize(2);
  }

  @Test
  void textBeyondTheLimitIsGivenUp() {
    host.then(200, "text/plain", LONG.toString());
    try (SchemaRepoRegistry modest =
        new SchemaRepoRegistry(
            HttpSettings.builder(host.url())
                .maxAnswerBytes(LONG.toString().length() - 1)
                .build())) {
      assertUnavailable(() -> modest.schema(ID)).hasMessageContaining("returned more than");
    }
  }

  @Test
  void textThatIsNoAvroSchemaIsTheRecordsFault() {
    host.then(200, "text/plain", "anything goes");
    assertThatThrownBy(() -> registry.schema(ID))
        .isInstanceOf(SchemaNotFoundException.class)
        .hasMessageStartingWith(
            "schema id 3 of subject orders of " + host.url() + "/schema-repo cannot be parsed");
  }

  @Test
  void idsOfOtherKindsAndThoseThatNoPathHoldsAreNotAskedFor() {
    for (SchemaId id :
        List.of(
            SchemaId.of(3),
            new SchemaId.Fingerprint(3),
            new SchemaId.OfSubject("orders", ".."),
            new SchemaId.OfSubject("orders", ""))) {
      assertThatThrownBy(() -> registry.schema(id)).isInstanceOf(SchemaNotFoundException.class);
    }
    assertThat(host.requests()).isEmpty();
  }

  @Test
  void idIsEncodedInThePath() throws Exception {
    host.then(200, "text/plain; charset=utf-8", "\"long\"");
    registry.schema(new SchemaId.OfSubject("a/b ?", "1/é"));
    assertThat(host.requests()).containsExactly("/schema-repo/a%2Fb%20%3F/id/1%2F%C3%A9");
  }

  @Test
  void serverThatHasOnlyTextIsReadAsWell() throws Exception {
    host.then(200, "text/plain", "orders\nrefunds\n")
        .then(200, "text/plain", "1\t\"long\"\n0\t\"int\"\n");
    assertThat(registry.subjects().names()).containsExactly("orders", "refunds");
    assertThat(registry.subjects().all("orders"))
        .containsExactly(
            new SchemaEntry(new SchemaId.OfSubject("orders", "0"), "\"int\""),
            new SchemaEntry(new SchemaId.OfSubject("orders", "1"), "\"long\""));
    assertThat(host.headers().get(0).getFirst("Accept")).isEqualTo("application/json");
  }

  @Test
  void schemasOfSeveralLinesCannotBeReadFromText() {
    host.then(200, "text/plain", "ERROR: One of the schemas contains a new line\n1\t{\n}\n");
    assertUnavailable(() -> registry.subjects().all("orders"))
        .hasMessageContaining("but not a list of ids and schemas");
  }

  @Test
  void registrationWhoseAnswerWasLostIsRecognized() throws Exception {
    host.then(409, "text/html", "<html>").then(200, "text/plain", "4\t\"long\"");
    assertThat(registry.subjects().registerIfLatest("orders", LONG, Optional.of(ID)))
        .contains(new SchemaId.OfSubject("orders", "4"));
    assertThat(host.requests())
        .containsExactly("/schema-repo/orders/register_if_latest/3", "/schema-repo/orders/latest");
  }

  @Test
  void subjectThatNoPathHoldsIsRefused() {
    assertThatThrownBy(() -> registry.subjects().create("..", Map.of()))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(host.requests()).isEmpty();
  }

  private static AbstractThrowableAssert<?, ? extends Throwable> assertUnavailable(
      ThrowingCallable call) {
    return assertThatThrownBy(call)
        .isInstanceOf(RegistryException.class)
        .isInstanceOf(RegistryUnavailableException.class);
  }
}
