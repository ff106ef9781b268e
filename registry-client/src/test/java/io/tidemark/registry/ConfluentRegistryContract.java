package io.tidemark.registry;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.registry.RegistryRefusedException.Reason;
import io.tidemark.registry.cache.CacheSettings;
import io.tidemark.registry.cache.CachingSchemaRegistry;
import io.tidemark.registry.config.RegistryConfig;
import io.tidemark.registry.confluent.ConfluentRegistry;
import io.tidemark.registry.confluent.ConfluentSubjects;
import io.tidemark.registry.confluent.SchemaReference;
import io.tidemark.registry.confluent.SubjectVersion;
import io.tidemark.registry.http.HttpSettings;
import io.tidemark.stack.JavaInstallation;
import io.tidemark.stack.LocalStack;
import io.tidemark.stack.SchemaRegistryServer;
import io.tidemark.stack.Service;
import io.tidemark.stack.release.RegistryRelease;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.SchemaNormalization;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** The tests of the client and the cache that every real registry of Confluent's API must pass. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class ConfluentRegistryContract {
  private static final JsonMapper JSON = new JsonMapper();
  private static final HttpClient HTTP = HttpClient.newHttpClient();
  private static final SchemaId.Int32 UNKNOWN = new SchemaId.Int32(2_000_000_000);
  private static final Schema MONEY =
      SchemaBuilder.record("io.example.Money").fields().requiredLong("cents").endRecord();

  private final RegistryRelease release;
  private @Nullable LocalStack started;

  ConfluentRegistryContract(RegistryRelease release) {
    this.release = release;
  }

  @BeforeAll
  void start(@TempDir Path directory) {
    assumeThat(JavaInstallation.atLeast(release.javaFeature()))
        .as("%s needs Java %d: none is installed here", release, release.javaFeature())
        .isPresent();
    started =
        LocalStack.builder()
            .directory(directory)
            .registryRelease(release)
            .with(Service.REGISTRY)
            .start();
  }

  @AfterAll
  void stop() {
    if (started != null) {
      started.close();
    }
  }

  private SchemaRegistryServer server() {
    return requireNonNull(started, "the registry was not started").registry();
  }

  @Test
  void schemaIsReadByTheIdItWasRegisteredUnder() throws Exception {
    SchemaId id = register("money-value", "AVRO", MONEY.toString());
    try (SchemaRegistry registry = client(server().url())) {
      assertThat(registry.schema(id)).isEqualTo(new RegisteredSchema(id, MONEY));
    }
  }

  @Test
  void referencesAreResolvedAndOutliveTheirDeletion() throws Exception {
    register("io/example/Price", "AVRO", MONEY.toString().replace("Money", "Price"));
    SchemaId id =
        register(
            "order-value",
            "AVRO",
            "{\"type\": \"record\", \"name\": \"io.example.Order\", \"fields\":"
                + " [{\"name\": \"price\", \"type\": \"io.example.Price\"}]}",
            "io/example/Price");
    assertThat(send("DELETE", "/subjects/order-value", "").statusCode()).isEqualTo(200);
    try (SchemaRegistry registry = client(server().url())) {
      assertThat(registry.schema(id).schema().getField("price").schema().getFullName())
          .isEqualTo("io.example.Price");
    }
  }

  @Test
  void unknownIdIsNotFound() {
    try (SchemaRegistry registry = client(server().url())) {
      for (int id : new int[] {UNKNOWN.value(), 0, -1, Integer.MIN_VALUE}) {
        assertThatThrownBy(() -> registry.schema(SchemaId.of(id)))
            .isInstanceOf(SchemaNotFoundException.class)
            .hasMessageStartingWith("schema id " + id + " is unknown to " + registry.location());
      }
    }
  }

  @Test
  void schemaOfAnotherTypeIsNamed() throws Exception {
    SchemaId id =
        register("proto-value", "PROTOBUF", "syntax = \"proto3\"; message A { int32 a = 1; }");
    try (SchemaRegistry registry = client(server().url())) {
      assertThatThrownBy(() -> registry.schema(id))
          .isInstanceOf(SchemaNotFoundException.class)
          .hasMessageContaining("is of type PROTOBUF, not AVRO");
    }
  }

  @Test
  void fingerprintsOfASubjectsSchemasAreKnown() throws Exception {
    register("printed-value", "AVRO", MONEY.toString());
    Schema text = Schema.create(Schema.Type.STRING);
    register("printed-text", "AVRO", text.toString());
    try (SchemaRegistry fingerprints =
        RegistryConfig.parse(
                Map.of(
                    "schema.registry.url", server().url(),
                    "schema.registry.id.format", "single-object",
                    "schema.registry.subjects", "printed-value,yet-to-come,printed-text"))
            .open()) {
      for (Schema schema : List.of(MONEY, text)) {
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
    for (String path : List.of("/", "/apis/ccompat", "/apis/registry/v2", "/ui")) {
      String url = URI.create(server().url()).resolve(path).toString();
      try (SchemaRegistry registry = client(url)) {
        assertThatThrownBy(() -> registry.schema(UNKNOWN))
            .isInstanceOf(RegistryUnavailableException.class)
            .hasMessageContaining("Check schema.registry.url");
      }
    }
  }

  @Test
  void killedRegistryIsUnavailableAndTheSameClientWorksAfterItsRestart() throws Exception {
    SchemaId known = register("known-value", "AVRO", "\"int\"");
    SchemaId other = register("other-value", "AVRO", "\"long\"");
    try (CachingSchemaRegistry registry =
        new CachingSchemaRegistry(client(server().url()), CacheSettings.DEFAULT)) {
      RegisteredSchema before = registry.schema(known);

      server().process().kill();
      assertThat(registry.schema(known)).isSameAs(before);
      for (SchemaId id : List.of(other, UNKNOWN)) {
        assertThatThrownBy(() -> registry.schema(id))
            .isInstanceOf(RegistryUnavailableException.class)
            .hasMessageContaining("Tried 3 times");
      }

      server().process().start();
      assertThat(registry.schema(other).schema()).isEqualTo(Schema.create(Schema.Type.LONG));
      assertThatThrownBy(() -> registry.schema(UNKNOWN))
          .isInstanceOf(SchemaNotFoundException.class);
    }
  }

  @Test
  void pausedRegistryIsUnavailableInTimeAndAnswersOnceItGoesOn() throws Exception {
    SchemaId id = register("paused-value", "AVRO", "\"float\"");
    try (ConfluentRegistry impatient =
            new ConfluentRegistry(
                HttpSettings.builder(server().url()).requestTimeoutMs(300).rounds(2).build());
        ConfluentRegistry patient = client(server().url())) {
      signal("STOP");
      try {
        assertThatThrownBy(() -> impatient.schema(id))
            .isInstanceOf(RegistryUnavailableException.class)
            .hasMessageContaining("did not respond within 300 ms")
            .hasMessageContaining("Tried 2 times");
      } finally {
        signal("CONT");
      }
      assertThat(patient.schema(id).schema()).isEqualTo(Schema.create(Schema.Type.FLOAT));
    }
  }

  private void signal(String name) throws Exception {
    long pid = server().process().pid();
    assertThat(new ProcessBuilder("kill", "-" + name, Long.toString(pid)).start().waitFor())
        .isZero();
  }

  @Test
  void thousandThreadsThatMissOneIdMakeOneRequest() throws Exception {
    SchemaId id = register("crowd-value", "AVRO", "\"double\"");
    try (CountingRelay relay = new CountingRelay(server().url());
        CachingSchemaRegistry registry =
            new CachingSchemaRegistry(client(relay.url()), CacheSettings.DEFAULT)) {
      CountDownLatch ready = new CountDownLatch(1_000);
      List<FutureTask<RegisteredSchema>> lookups = new ArrayList<>();
      for (int i = 0; i < 1_000; i++) {
        FutureTask<RegisteredSchema> lookup =
            new FutureTask<>(
                () -> {
                  ready.countDown();
                  ready.await();
                  return registry.schema(id);
                });
        new Thread(null, lookup, "lookup-" + i, 128 * 1024).start();
        lookups.add(lookup);
      }
      for (FutureTask<RegisteredSchema> lookup : lookups) {
        assertThat(lookup.get().schema()).isEqualTo(Schema.create(Schema.Type.DOUBLE));
      }
      assertThat(relay.requests()).isEqualTo(1);
    }
  }

  @Test
  void subjectsAreRegisteredListedAndFound() throws Exception {
    Schema first = record("Parcel", "cents");
    Schema second = record("Parcel", "grams");
    try (ConfluentRegistry registry = client(server().url())) {
      ConfluentSubjects subjects = registry.subjects();
      SchemaId firstId = subjects.register("parcel-value", first);
      SchemaId secondId = subjects.register("parcel-value", second);
      assertThat(subjects.register("parcel-value", first)).isEqualTo(firstId);

      assertThat(subjects.names()).contains("parcel-value");
      assertThat(subjects.versions("parcel-value")).containsExactly(1, 2);
      assertThat(subjects.version("parcel-value", 1).schema())
          .isEqualTo(new RegisteredSchema(firstId, first));
      assertThat(subjects.latest("parcel-value")).isEqualTo(new RegisteredSchema(secondId, second));
      assertThat(subjects.find("parcel-value", first)).isEqualTo(firstId);
      assertThat(subjects.findVersion("parcel-value", second).version()).isEqualTo(2);
      assertThat(subjects.versionsOf((SchemaId.Int32) secondId))
          .containsExactly(new SubjectVersion.Name("parcel-value", 2));
      assertThat(subjects.contexts()).isNotEmpty();
    }
  }

  @Test
  void schemaIsRegisteredWithReferencesAndReadBack() throws Exception {
    try (ConfluentRegistry registry = client(server().url())) {
      ConfluentSubjects subjects = registry.subjects();
      subjects.register("weight", record("Weight", "grams"));
      SchemaId id =
          subjects.register(
              "crate-value",
              "{\"type\": \"record\", \"name\": \"io.example.Crate\", \"fields\":"
                  + " [{\"name\": \"weight\", \"type\": \"io.example.Weight\"}]}",
              List.of(new SchemaReference("io.example.Weight", "weight", 1)));
      assertThat(registry.schema(id).schema().getField("weight").schema())
          .isEqualTo(record("Weight", "grams"));
    }
  }

  @Test
  void spellingsOfOneSchemaAreOneWhenNormalized() throws Exception {
    try (ConfluentRegistry registry = client(server().url())) {
      ConfluentSubjects subjects = registry.subjects().normalizing();
      SchemaId id = subjects.register("spelling-value", "{\"type\": \"string\"}", List.of());
      assertThat(subjects.register("spelling-value", "\"string\"", List.of())).isEqualTo(id);
    }
  }

  @Test
  void whatTheRegistryDoesNotHaveIsRefusedWithItsCode() throws Exception {
    try (ConfluentRegistry registry = client(server().url())) {
      ConfluentSubjects subjects = registry.subjects();
      subjects.register("known", MONEY);
      assertRefused(40401, Reason.SUBJECT_NOT_FOUND, () -> subjects.latest("unknown"));
      assertRefused(40401, Reason.SUBJECT_NOT_FOUND, () -> subjects.versions("unknown"));
      assertRefused(40402, Reason.VERSION_NOT_FOUND, () -> subjects.version("known", 99));
      assertRefused(
          40403, Reason.SCHEMA_NOT_FOUND, () -> subjects.find("known", record("Other", "a")));
      assertRefused(
          42201, Reason.INVALID, () -> subjects.register("known", "{\"type\": 7}", List.of()));
    }
  }

  @Test
  void incompatibleSchemaIsRefusedAndTheCheckSaysSoBefore() throws Exception {
    Schema first = record("Trip", "metres");
    Schema broken = record("Trip", "miles");
    try (ConfluentRegistry registry = client(server().url())) {
      ConfluentSubjects subjects = registry.subjects();
      subjects.register("trip-value", first);
      assertThat(
              send("PUT", "/config/trip-value", "{\"compatibility\": \"BACKWARD\"}").statusCode())
          .isEqualTo(200);
      assertThat(subjects.checkLatest("trip-value", first).compatible()).isTrue();
      assertThat(subjects.check("trip-value", first).compatible()).isTrue();
      assertThat(subjects.checkLatest("trip-value", broken).compatible()).isFalse();
      assertRefused(409, Reason.INCOMPATIBLE, () -> subjects.register("trip-value", broken));
    }
  }

  @Test
  void guidIsTheRecordsFaultIfTheServerHasNone() {
    try (ConfluentRegistry registry = client(server().url())) {
      assertThatThrownBy(() -> registry.schema(new SchemaId.Guid(new UUID(1, 2))))
          .isInstanceOf(SchemaNotFoundException.class)
          .hasMessageContaining("it does not support GUIDs");
    }
  }

  private static void assertRefused(int code, Reason reason, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            RegistryRefusedException.class,
            e -> {
              assertThat(e.reason()).isEqualTo(reason);
              assertThat(e.code()).isEqualTo(code);
            });
  }

  private static Schema record(String name, String... fields) {
    var builder = SchemaBuilder.record("io.example." + name).fields();
    for (String field : fields) {
      builder = builder.name(field).type().longType().noDefault();
    }
    return builder.endRecord();
  }

  private static ConfluentRegistry client(String url) {
    return new ConfluentRegistry(
        HttpSettings.builder(url).rounds(3).backoffMs(50).maxBackoffMs(200).build());
  }

  /** Registers a schema that refers to version 1 of the given subjects, named as their types. */
  private SchemaId register(String subject, String type, String schema, String... references)
      throws Exception {
    ObjectNode body = JSON.createObjectNode().put("schema", schema).put("schemaType", type);
    for (String reference : references) {
      body.withArray("references")
          .addObject()
          .put("name", reference.replace('/', '.'))
          .put("subject", reference)
          .put("version", 1);
    }
    HttpResponse<String> response =
        send(
            "POST",
            "/subjects/" + subject.replace("/", "%2F") + "/versions",
            JSON.writeValueAsString(body));
    assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
    return SchemaId.of(JSON.readTree(response.body()).path("id").intValue());
  }

  private HttpResponse<String> send(String method, String path, String body)
      throws IOException, InterruptedException {
    return HTTP.send(
        HttpRequest.newBuilder(URI.create(server().url() + path))
            .header("Content-Type", "application/vnd.schemaregistry.v1+json")
            .method(method, HttpRequest.BodyPublishers.ofString(body))
            .build(),
        HttpResponse.BodyHandlers.ofString());
  }
}
