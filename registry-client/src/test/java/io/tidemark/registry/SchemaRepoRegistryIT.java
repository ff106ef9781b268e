package io.tidemark.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.registry.RegistryRefusedException.Reason;
import io.tidemark.registry.config.RegistryConfig;
import io.tidemark.registry.http.HttpSettings;
import io.tidemark.registry.schemarepo.SchemaEntry;
import io.tidemark.registry.schemarepo.SchemaRepoRegistry;
import io.tidemark.registry.schemarepo.SchemaRepoSubjects;
import io.tidemark.stack.LocalStack;
import io.tidemark.stack.Service;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.SchemaNormalization;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The client of AVRO-1124's API against its server. */
final class SchemaRepoRegistryIT {
  private static final Schema LONG = Schema.create(Schema.Type.LONG);
  private static final Schema INT = Schema.create(Schema.Type.INT);
  private static final Schema ODD =
      SchemaBuilder.record("Odd").doc("é € \uD83D\uDE00\tline\nbreak").fields().endRecord();

  @TempDir static Path directory;
  private static LocalStack stack;

  @BeforeAll
  static void start() {
    stack = LocalStack.builder().directory(directory).with(Service.SCHEMA_REPO).start();
  }

  @AfterAll
  static void stop() {
    stack.close();
  }

  @Test
  void schemasAreRegisteredListedAndFound() throws Exception {
    try (SchemaRepoRegistry registry = client()) {
      SchemaRepoSubjects subjects = registry.subjects();
      assertThat(subjects.exists("parcel")).isFalse();
      SchemaId.OfSubject first = subjects.register("parcel", LONG);
      SchemaId.OfSubject second = subjects.register("parcel", ODD);
      assertThat(subjects.register("parcel", LONG)).isEqualTo(first);

      assertThat(subjects.exists("parcel")).isTrue();
      assertThat(subjects.names()).contains("parcel");
      assertThat(subjects.hasIntegralIds("parcel")).isTrue();
      assertThat(subjects.find("parcel", ODD)).isEqualTo(second);
      assertThat(subjects.latest("parcel")).isEqualTo(new RegisteredSchema(second, ODD));
      assertThat(subjects.all("parcel"))
          .containsExactly(
              new SchemaEntry(first, LONG.toString()), new SchemaEntry(second, ODD.toString()));
      assertThat(registry.schema(first)).isEqualTo(new RegisteredSchema(first, LONG));
      assertThat(registry.schema(second).schema().getDoc()).isEqualTo(ODD.getDoc());
    }
  }

  @Test
  void schemaOfSeveralLinesIsListed() throws Exception {
    String text = "{\"type\":\n\"record\", \"name\": \"Lines\", \"fields\": []}";
    try (SchemaRepoRegistry registry = client()) {
      registry.subjects().create("lines", Map.of());
      HttpRequest request =
          HttpRequest.newBuilder(URI.create(stack.schemaRepo().url() + "/lines/register"))
              .header("Content-Type", "text/plain")
              .PUT(BodyPublishers.ofString(text))
              .build();
      String id = HttpClient.newHttpClient().send(request, BodyHandlers.ofString()).body();
      assertThat(registry.subjects().all("lines"))
          .containsExactly(new SchemaEntry(new SchemaId.OfSubject("lines", id), text));
      assertThat(registry.subjects().latest("lines").schema().getName()).isEqualTo("Lines");
    }
  }

  @Test
  void oneIdMeansOtherSchemasInOtherSubjects() throws Exception {
    try (SchemaRepoRegistry registry = client()) {
      SchemaId.OfSubject first = registry.subjects().register("left", LONG);
      SchemaId.OfSubject second = registry.subjects().register("right", INT);
      assertThat(first.value()).isEqualTo(second.value());
      assertThat(registry.schema(first).schema()).isNotEqualTo(registry.schema(second).schema());
    }
  }

  @Test
  void whatTheRegistryDoesNotHaveIsRefused() throws Exception {
    try (SchemaRepoRegistry registry = client()) {
      SchemaRepoSubjects subjects = registry.subjects();
      subjects.create("hollow", Map.of());
      assertRefused(Reason.SUBJECT_NOT_FOUND, () -> subjects.latest("nowhere"));
      assertRefused(Reason.SUBJECT_NOT_FOUND, () -> subjects.all("nowhere"));
      assertRefused(Reason.SUBJECT_NOT_FOUND, () -> subjects.config("nowhere"));
      assertRefused(Reason.SUBJECT_NOT_FOUND, () -> subjects.hasIntegralIds("nowhere"));
      assertRefused(Reason.SUBJECT_NOT_FOUND, () -> subjects.find("nowhere", LONG));
      assertRefused(Reason.SCHEMA_NOT_FOUND, () -> subjects.find("hollow", LONG));
      assertRefused(Reason.SCHEMA_NOT_FOUND, () -> subjects.latest("hollow"));
      assertThat(subjects.all("hollow")).isEmpty();
      for (SchemaId.OfSubject id :
          List.of(
              new SchemaId.OfSubject("hollow", "0"),
              new SchemaId.OfSubject("hollow", "no number"),
              new SchemaId.OfSubject("nowhere", "0"))) {
        assertThatThrownBy(() -> registry.schema(id))
            .isInstanceOf(SchemaNotFoundException.class)
            .hasMessageStartingWith(id + " is unknown to " + registry.location());
      }
    }
  }

  @Test
  void subjectKeepsItsConfigurationAndItsValidatorsRefuse() throws Exception {
    try (SchemaRepoRegistry registry = client()) {
      SchemaRepoSubjects subjects = registry.subjects();
      subjects.create("strict", Map.of("repo.validators", "repo.reject", "owner", "a&b = c%"));
      assertThat(subjects.config("strict"))
          .containsEntry("owner", "a&b = c%")
          .hasEntrySatisfying("repo.validators", names -> assertThat(names).contains("reject"));
      assertRefused(Reason.INCOMPATIBLE, () -> subjects.register("strict", LONG));
      assertRefused(
          Reason.INCOMPATIBLE, () -> subjects.registerIfLatest("strict", LONG, Optional.empty()));
      assertThat(subjects.all("strict")).isEmpty();
    }
  }

  @Test
  void registrationIfLatestLetsTheFirstWin() throws Exception {
    try (SchemaRepoRegistry registry = client()) {
      SchemaRepoSubjects subjects = registry.subjects();
      subjects.create("race", Map.of());
      SchemaId.OfSubject first =
          subjects.registerIfLatest("race", LONG, Optional.empty()).orElseThrow();
      assertThat(subjects.registerIfLatest("race", INT, Optional.empty())).isEmpty();
      SchemaId.OfSubject second =
          subjects.registerIfLatest("race", INT, Optional.of(first)).orElseThrow();
      assertThat(subjects.registerIfLatest("race", ODD, Optional.of(first))).isEmpty();
      assertThat(subjects.latest("race").id()).isEqualTo(second);
    }
  }

  @Test
  void subjectOfAnyNameIsReached() throws Exception {
    try (SchemaRepoRegistry registry = client()) {
      for (String name : List.of("io.example.Order-value", "with blank", "é", "a+b%20&c")) {
        SchemaId.OfSubject id = registry.subjects().register(name, LONG);
        assertThat(registry.schema(id).schema()).isEqualTo(LONG);
        assertThat(registry.subjects().names()).contains(name);
      }
    }
  }

  @Test
  void fingerprintsOfASubjectsSchemasAreKnown() throws Exception {
    try (SchemaRepoRegistry registry = client();
        SchemaRegistry fingerprints =
            RegistryConfig.parse(
                    Map.of(
                        "schema.registry.url", stack.schemaRepo().url(),
                        "schema.registry.api", "avro-1124",
                        "schema.registry.id.format", "single-object",
                        "schema.registry.subjects", "printed"))
                .open()) {
      for (Schema schema : List.of(LONG, ODD)) {
        registry.subjects().register("printed", schema);
        long fingerprint = SchemaNormalization.parsingFingerprint64(schema);
        assertThat(fingerprints.schema(new SchemaId.Fingerprint(fingerprint)).schema())
            .isEqualTo(schema);
      }
      assertThatThrownBy(() -> fingerprints.schema(new SchemaId.Fingerprint(1)))
          .isInstanceOf(SchemaNotFoundException.class);
    }
  }

  @Test
  void wrongPathIsUnavailableAndNotUnknown() {
    String url = stack.schemaRepo().url().replace("schema-repo", "elsewhere");
    try (SchemaRepoRegistry registry = new SchemaRepoRegistry(settings(url))) {
      assertThatThrownBy(() -> registry.schema(new SchemaId.OfSubject("orders", "0")))
          .isInstanceOf(RegistryUnavailableException.class)
          .hasMessageContaining("returned HTTP 404 without a registry's error code");
    }
  }

  @Test
  void killedRegistryIsUnavailableAndTheSameClientWorksAfterItsRestart() throws Exception {
    SchemaId.OfSubject known;
    SchemaId.OfSubject other;
    try (SchemaRepoRegistry registry = client()) {
      known = registry.subjects().register("known", LONG);
      other = registry.subjects().register("other", INT);
    }
    try (SchemaRegistry registry =
        RegistryConfig.parse(
                Map.of(
                    "schema.registry.url", stack.schemaRepo().url(),
                    "schema.registry.api", "avro-1124",
                    "max.retries", "1",
                    "retries.wait.ms", "10"))
            .open()) {
      assertThat(registry.schema(known).schema()).isEqualTo(LONG);
      stack.schemaRepo().process().kill();
      assertThat(registry.schema(known).schema()).isEqualTo(LONG);
      assertThatThrownBy(() -> registry.schema(other))
          .isInstanceOf(RegistryUnavailableException.class)
          .hasMessageContaining("Tried 2 times");
      stack.schemaRepo().process().start();
      assertThat(registry.schema(other).schema()).isEqualTo(INT);
    }
  }

  @Test
  void pausedRegistryIsUnavailableInTimeAndAnswersOnceItGoesOn() throws Exception {
    try (SchemaRepoRegistry impatient =
            new SchemaRepoRegistry(
                HttpSettings.builder(stack.schemaRepo().url())
                    .requestTimeoutMs(300)
                    .rounds(2)
                    .build());
        SchemaRepoRegistry patient = client()) {
      SchemaId.OfSubject id = patient.subjects().register("paused", LONG);
      signal("STOP");
      try {
        assertThatThrownBy(() -> impatient.schema(id))
            .isInstanceOf(RegistryUnavailableException.class)
            .hasMessageContaining("did not respond within 300 ms")
            .hasMessageContaining("Tried 2 times");
      } finally {
        signal("CONT");
      }
      assertThat(patient.schema(id).schema()).isEqualTo(LONG);
    }
  }

  private static void signal(String name) throws Exception {
    long pid = stack.schemaRepo().process().pid();
    assertThat(new ProcessBuilder("kill", "-" + name, Long.toString(pid)).start().waitFor())
        .isZero();
  }

  private static void assertRefused(Reason reason, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            RegistryRefusedException.class, e -> assertThat(e.reason()).isEqualTo(reason));
  }

  private static SchemaRepoRegistry client() {
    return new SchemaRepoRegistry(settings(stack.schemaRepo().url()));
  }

  private static HttpSettings settings(String url) {
    return HttpSettings.builder(url).rounds(2).backoffMs(50).maxBackoffMs(200).build();
  }
}
