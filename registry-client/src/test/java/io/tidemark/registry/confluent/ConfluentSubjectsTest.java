package io.tidemark.registry.confluent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.registry.RegisteredSchema;
import io.tidemark.registry.RegistryException;
import io.tidemark.registry.RegistryRefusedException;
import io.tidemark.registry.RegistryRefusedException.Reason;
import io.tidemark.registry.RegistryUnavailableException;
import io.tidemark.registry.SchemaId;
import io.tidemark.registry.SchemaNotFoundException;
import io.tidemark.registry.ScriptedHost;
import io.tidemark.registry.http.HttpSettings;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.apache.avro.Schema;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Answers that no tested server has, from example files, over real HTTP: GUIDs, contexts, rare
 * errors.
 */
@Timeout(20)
final class ConfluentSubjectsTest {
  private static final SchemaId.Guid GUID =
      new SchemaId.Guid(UUID.fromString("89791762-2336-40d8-9d1e-8c8f4b5e2ea7"));
  private static final Schema LONG = Schema.create(Schema.Type.LONG);

  private final ScriptedHost host = new ScriptedHost();

  @AfterEach
  void stop() {
    host.close();
  }

  @Test
  void schemaIsReadByGuidWithWhatItRefersTo() throws Exception {
    host.thenJson(200, vector("schema-by-guid"))
        .thenJson(
            200,
            "{\"schema\": \"{\\\"type\\\":\\\"fixed\\\",\\\"name\\\":"
                + "\\\"io.example.Money\\\",\\\"size\\\":8}\"}");
    try (ConfluentRegistry registry = registry(SchemaContext.DEFAULT)) {
      RegisteredSchema schema = registry.schema(GUID);
      assertThat(schema.id()).isEqualTo(GUID);
      assertThat(schema.schema().getField("price").schema().getFixedSize()).isEqualTo(8);
    }
    assertThat(host.requests())
        .containsExactly(
            "/schemas/guids/89791762-2336-40d8-9d1e-8c8f4b5e2ea7",
            "/subjects/money/versions/1?deleted=true");
  }

  @Test
  void unknownGuidIsTheRecordsFault() {
    host.thenJson(404, "{\"error_code\": 40403, \"message\": \"Schema not found\"}");
    try (ConfluentRegistry registry = registry(SchemaContext.DEFAULT)) {
      assertThatThrownBy(() -> registry.schema(GUID))
          .isInstanceOfSatisfying(
              SchemaNotFoundException.class, e -> assertThat(e.code()).isEqualTo(40403))
          .hasMessageStartingWith(
              "schema GUID 89791762-2336-40d8-9d1e-8c8f4b5e2ea7 is unknown to " + host.url());
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "200|{\"schema\": \"\\\"long\\\"\"}",
        "404|{\"error_code\": 40403, \"message\": \"Schema not found\"}"
      })
  void guidIsTheRecordsFaultIfTheServerHasNumbersOnly(String toANumber) {
    host.then(404, "text/plain", "")
        .thenJson(Integer.parseInt(toANumber.substring(0, 3)), toANumber.substring(4));
    try (ConfluentRegistry registry = registry(SchemaContext.DEFAULT)) {
      assertThatThrownBy(() -> registry.schema(GUID))
          .isInstanceOf(SchemaNotFoundException.class)
          .hasMessageContainingAll(
              GUID + " cannot be looked up in " + host.url(),
              "numbers, because it does not support GUIDs",
              "or its bytes have no schema id");
    }
    assertThat(host.requests()).hasSize(2);
  }

  @Test
  void wrongPathOfTheServerIsNotTheRecordsFault() {
    host.then(404, "text/plain", "").then(404, "text/plain", "");
    try (ConfluentRegistry registry = registry(SchemaContext.DEFAULT)) {
      assertThatThrownBy(() -> registry.schema(GUID))
          .isInstanceOf(RegistryUnavailableException.class)
          .hasMessageContaining("returned HTTP 404 without a registry's error code");
    }
  }

  @Test
  void idsOfOtherRegistriesAreTheRecordsFaultAndNotAskedFor() {
    try (ConfluentRegistry registry = registry(SchemaContext.DEFAULT)) {
      for (SchemaId id :
          List.of(new SchemaId.OfSubject("orders", "3"), new SchemaId.Fingerprint(-1))) {
        assertThatThrownBy(() -> registry.schema(id))
            .isInstanceOf(SchemaNotFoundException.class)
            .hasMessageStartingWith(id + " cannot be looked up in " + host.url());
      }
    }
    assertThat(host.requests()).isEmpty();
  }

  @Test
  void contextQualifiesIdsAndSubjects() throws Exception {
    host.thenJson(200, "{\"schema\": \"\\\"long\\\"\"}")
        .thenJson(200, vector("version-with-guid"))
        .thenJson(200, "[\":.staging:orders-value\"]")
        .thenJson(200, "[1, 3]");
    try (ConfluentRegistry registry = registry(new SchemaContext(".staging"))) {
      registry.schema(SchemaId.of(4711));
      SubjectVersion version = registry.subjects().latestVersion("orders-value");
      assertThat(version.subject()).isEqualTo(":.staging:orders-value");
      assertThat(version.guid()).contains(GUID);
      assertThat(version.schema())
          .isEqualTo(new RegisteredSchema(SchemaId.of(4711), LONG, Optional.of(GUID), List.of()));
      assertThat(registry.subjects().names()).containsExactly(":.staging:orders-value");
      assertThat(registry.subjects().versions(":.other:orders-value")).containsExactly(1, 3);
      assertThat(registry.location()).isEqualTo(host.url() + " context .staging");
    }
    assertThat(host.requests())
        .containsExactly(
            "/schemas/ids/4711?subject=%3A.staging%3A",
            "/subjects/%3A.staging%3Aorders-value/versions/latest",
            "/subjects?subjectPrefix=%3A.staging%3A",
            "/subjects/%3A.other%3Aorders-value/versions");
  }

  @Test
  void contextIsADottedName() {
    assertThatThrownBy(() -> new SchemaContext("staging"))
        .hasMessage(
            "\"staging\" is not a context. Begin it with a dot and use no colon, as in .staging.");
  }

  @Test
  void normalizingIsAskedForOnLookupAndRegistration() throws Exception {
    host.thenJson(200, vector("version-with-guid")).thenJson(200, "{\"id\": 7}");
    try (ConfluentRegistry registry = registry(SchemaContext.DEFAULT)) {
      ConfluentSubjects subjects = registry.subjects().normalizing();
      assertThat(subjects.find("a/b", LONG)).isEqualTo(SchemaId.of(4711));
      assertThat(subjects.register("a/b", LONG)).isEqualTo(SchemaId.of(7));
    }
    assertThat(host.requests())
        .containsExactly(
            "/subjects/a%2Fb?normalize=true", "/subjects/a%2Fb/versions?normalize=true");
    assertThat(host.bodies()).containsOnly("{\"schema\":\"\\\"long\\\"\"}");
    assertThat(host.headers().get(0).getFirst("Content-Type"))
        .isEqualTo("application/vnd.schemaregistry.v1+json");
  }

  @ParameterizedTest
  @CsvSource({
    "404, 40401, SUBJECT_NOT_FOUND",
    "404, 40404, SUBJECT_NOT_FOUND",
    "404, 40402, VERSION_NOT_FOUND",
    "404, 40406, VERSION_NOT_FOUND",
    "404, 40403, SCHEMA_NOT_FOUND",
    "404, 40408, OTHER",
    "409, 409, INCOMPATIBLE",
    "409, 40901, INCOMPATIBLE",
    "422, 42201, INVALID",
    "422, 42202, INVALID",
    "422, 42208, INVALID",
    "422, 42205, OTHER",
    "422, 422, INVALID",
    "422, 50001, INVALID",
    "400, 400, INVALID",
    "400, 40001, INVALID"
  })
  void refusalKeepsItsCodeAndSaysWhy(int status, int code, Reason reason) {
    host.thenJson(status, "{\"error_code\": " + code + ", \"message\": \"no\\n way\"}");
    RegistryException failure = registering();
    assertThat(failure)
        .isInstanceOfSatisfying(
            RegistryRefusedException.class, e -> assertThat(e.reason()).isEqualTo(reason))
        .hasMessageStartingWith(
            host.url()
                + "/subjects/orders/versions rejected the request with code "
                + code
                + " (no  way). ");
    assertThat(failure.code()).isEqualTo(code);
    assertThat(failure.again().code()).isEqualTo(code);
    assertThat(host.requests()).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource({"500, 50001", "503, 503", "429, 42901", "401, 40101", "403, 40301"})
  void registrysOwnTroubleIsNoRefusalAndKeepsItsCode(int status, int code) {
    host.thenJson(status, "{\"error_code\": " + code + ", \"message\": \"\"}");
    RegistryException failure = registering();
    assertThat(failure).isInstanceOf(RegistryUnavailableException.class);
    assertThat(failure.code()).isEqualTo(code);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "[1, 2]|a list of subjects",
        "{}|a list of subjects",
        "<html>|a list of subjects",
      })
  void answerOfAnotherShapeIsNoRegistrys(String body, String expected) {
    host.thenJson(200, body);
    try (ConfluentRegistry registry = registry(SchemaContext.DEFAULT)) {
      assertThatThrownBy(() -> registry.subjects().names())
          .isInstanceOf(RegistryUnavailableException.class)
          .hasMessageContaining("but not " + expected);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "404, text/html",
    "404, application/json",
    "405, application/json",
    "501, text/plain"
  })
  void whatARegistryDoesNotOfferIsNoWrongPath(int status, String contentType) {
    host.then(
        status,
        contentType,
        "{\"error_code\": " + status + ", \"message\": \"HTTP " + status + "\"}");
    try (ConfluentRegistry registry = registry(SchemaContext.DEFAULT)) {
      ConfluentSubjects subjects = registry.subjects();
      assertNotOffered(status, "a list of its contexts", subjects::contexts);
      assertNotOffered(status, "a check against all versions", () -> subjects.check("a", LONG));
      assertThatThrownBy(subjects::names).isInstanceOf(RegistryUnavailableException.class);
    }
  }

  private static void assertNotOffered(int status, String feature, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            RegistryRefusedException.class,
            e -> assertThat(e.reason()).isEqualTo(Reason.NOT_OFFERED))
        .hasMessageContaining("returned HTTP " + status)
        .hasMessageContaining("it does not support " + feature);
  }

  @Test
  void versionWithoutAGuidIsOneOfAnOlderServer() throws Exception {
    host.thenJson(
        200, "{\"subject\": \"a\", \"version\": 1, \"id\": 2, \"schema\": \"\\\"long\\\"\"}");
    try (ConfluentRegistry registry = registry(SchemaContext.DEFAULT)) {
      assertThat(registry.subjects().version("a", 1).guid()).isEqualTo(Optional.empty());
    }
  }

  private RegistryException registering() {
    try (ConfluentRegistry registry = registry(SchemaContext.DEFAULT)) {
      registry.subjects().register("orders", LONG);
      throw new AssertionError("it was registered");
    } catch (RegistryException e) {
      return e;
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private ConfluentRegistry registry(SchemaContext context) {
    return new ConfluentRegistry(
        HttpSettings.builder(host.url()).rounds(1).totalTimeoutMs(10_000).build(), context);
  }

  private static String vector(String name) throws IOException {
    try (InputStream in =
        ConfluentSubjectsTest.class.getResourceAsStream("/confluent/" + name + ".json")) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
