package io.tidemark.registry.confluent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.registry.RegistryUnavailableException;
import io.tidemark.registry.SchemaId;
import io.tidemark.registry.SchemaNotFoundException;
import io.tidemark.registry.ScriptedHost;
import io.tidemark.registry.http.HttpSettings;
import io.tidemark.registry.http.RegistryHttp;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.avro.Schema;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class SchemaAssemblyTest {
  private final Map<String, SchemaDocument> registered = new HashMap<>();
  private final ScriptedHost host = new ScriptedHost();

  @BeforeEach
  void answer() {
    host.then(
        exchange -> {
          SchemaDocument document = registered.get(exchange.getRequestURI().toString());
          byte[] body =
              (document == null
                      ? "{\"error_code\": 40402, \"message\": \"no\"}"
                      : document.toJson())
                  .getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(document == null ? 404 : 200, body.length);
          exchange.getResponseBody().write(body);
        });
  }

  @AfterEach
  void stop() {
    host.close();
  }

  @Test
  void sharedReferenceIsFetchedOnce() throws Exception {
    register("money", 1, record("Money", ""));
    register("order", 2, record("Order", "Money"), new SchemaReference("Type", "money", 1));
    register("refund", 3, record("Refund", "Money"), new SchemaReference("Type", "money", 1));

    Schema schema =
        assemble(
            record("Day", "Order, Refund"),
            new SchemaReference("Type", "order", 2),
            new SchemaReference("Type", "refund", 3));

    assertThat(schema.getField("order").schema().getField("money").schema())
        .isEqualTo(schema.getField("refund").schema().getField("money").schema());
    assertThat(host.requests())
        .containsExactly(
            "/subjects/order/versions/2?deleted=true",
            "/subjects/money/versions/1?deleted=true",
            "/subjects/refund/versions/3?deleted=true");
  }

  @Test
  void versionThatDefinesSeveralTypesIsFetchedOnce() throws Exception {
    register(
        "money",
        1,
        record("Money", "")
            .replace(
                "[]",
                "[{\"name\":\"c\",\"type\":"
                    + "{\"type\":\"enum\",\"name\":\"Currency\",\"symbols\":[\"EUR\"]}}]"));
    Schema schema =
        assemble(
            record("Day", "Money, Currency"),
            new SchemaReference("Money", "money", 1),
            new SchemaReference("Currency", "money", 1));
    assertThat(schema.getFields()).hasSize(2);
    assertThat(host.requests()).hasSize(1);
  }

  @Test
  void referenceIsOneOfTheContextOfWhatRefersToIt() throws Exception {
    register(
        "%3A.staging%3Aorder", 1, record("Order", "Money"), new SchemaReference("", "money", 1));
    register(
        "%3A.staging%3Amoney",
        1, record("Money", "Cents"), new SchemaReference("", ":.base:cents", 2));
    register("%3A.base%3Acents", 2, record("Cents", "Unit"), new SchemaReference("", "unit", 3));
    register("%3A.base%3Aunit", 3, record("Unit", ""));
    Schema schema =
        assemble(
            new SchemaContext(".staging"),
            record("Day", "Order"),
            new SchemaReference("", "order", 1));
    assertThat(schema.toString()).contains("\"Unit\"");
    assertThat(host.requests()).hasSize(4);
  }

  @Test
  void subjectIsEncodedInThePath() throws Exception {
    register("a%2Fb%20%3A.%2B%C3%A9", 1, record("Money", ""));
    assertThat(
            assemble(record("Day", "Money"), new SchemaReference("Type", "a/b :.+é", 1)).getName())
        .isEqualTo("Day");
  }

  @Test
  void circleIsRefused() {
    register("a", 1, record("A", "B"), new SchemaReference("Type", "b", 1));
    register("b", 1, record("B", "A"), new SchemaReference("Type", "a", 1));
    assertUnusable(
        "schema id 7 of "
            + host.url()
            + " refers to subject a version 1, which refers to subject b"
            + " version 1, which refers back to subject a version 1. ",
        record("Day", "A"),
        new SchemaReference("Type", "a", 1));
  }

  @Test
  void missingReferenceIsNamed() {
    assertUnusable(
        "schema id 7 of "
            + host.url()
            + " refers to subject a version 4, which the registry does not have (code 40402).",
        record("Day", "A"),
        new SchemaReference("Type", "a", 4));
  }

  @Test
  void referenceThatIsRefusedOtherwiseIsNotToldAsMissing() {
    SchemaDocument document =
        new SchemaDocument(
            record("Day", "A"), "AVRO", List.of(new SchemaReference("Type", "a", 4)));
    try (ScriptedHost other = new ScriptedHost();
        RegistryHttp http =
            new RegistryHttp(HttpSettings.builder(other.url()).build(), new ConfluentDialect())) {
      other.thenJson(422, "{\"error_code\": 42205, \"message\": \"not now\"}");
      assertThatThrownBy(
              () ->
                  new SchemaAssembly(SchemaId.of(7), http)
                      .assemble(document, SchemaContext.DEFAULT))
          .isInstanceOf(RegistryUnavailableException.class)
          .hasMessageContaining("rejected the request with code 42205 (not now).");
    }
  }

  /** No answer will ever come, so the record must not wait for it. */
  @ParameterizedTest
  @CsvSource({"422, 42202", "400, 400"})
  void referenceThatTheRegistryTakesAsMalformedMakesTheSchemaUnusable(int status, int code) {
    SchemaDocument document =
        new SchemaDocument(
            record("Day", "A"), "AVRO", List.of(new SchemaReference("Type", "a", -4)));
    try (ScriptedHost other = new ScriptedHost();
        RegistryHttp http =
            new RegistryHttp(HttpSettings.builder(other.url()).build(), new ConfluentDialect())) {
      other.thenJson(status, "{\"error_code\": " + code + ", \"message\": \"no version\"}");
      assertThatThrownBy(
              () ->
                  new SchemaAssembly(SchemaId.of(7), http)
                      .assemble(document, SchemaContext.DEFAULT))
          .isInstanceOfSatisfying(
              SchemaNotFoundException.class, e -> assertThat(e.isUnusable()).isTrue())
          .hasMessageContaining(
              "refers to subject a version -4, which the registry rejects as malformed (code "
                  + code
                  + ").");
      assertThat(other.requests()).hasSize(1);
    }
  }

  @Test
  void endlessReferencesAreCutOff() {
    for (int i = 0; i < 40; i++) {
      register(
          "s" + i,
          1,
          record("S" + i, "S" + (i + 1)),
          new SchemaReference("Type", "s" + (i + 1), 1));
    }
    assertUnusable("exceeds the limit", record("Day", "S0"), new SchemaReference("Type", "s0", 1));
    assertThat(host.requests()).hasSize(32);
  }

  @Test
  void sizeOfASchemaIsBoundedTogetherWithItsReferences() {
    SchemaReference[] references = new SchemaReference[9];
    for (int i = 0; i < references.length; i++) {
      String large = record("S" + i, "").replace("{", "{\"doc\":\"" + "é".repeat(100_000) + "\",");
      register("s" + i, 1, large);
      references[i] = new SchemaReference("Type", "s" + i, 1);
    }
    assertUnusable(
        "refers to subject s5 version 1, which has more", record("Day", "S0"), references);
    assertThat(host.requests()).hasSize(6);
  }

  /** A text that were parsed would be refused because it is not JSON. */
  @Test
  void largeTextIsNotParsed() {
    assertUnusable(
        "schema id 7 of "
            + host.url()
            + " has more than 1048576 bytes of text with all that it refers to. ",
        "{".repeat((1 << 20) + 1));
    assertUnusable("cannot be parsed by Avro", "{".repeat(1 << 20));
  }

  @Test
  void otherTypesThanAvroAreRefusedByName() {
    registered.put(
        "/subjects/proto/versions/1?deleted=true",
        new SchemaDocument("syntax = \"proto3\";", "PROTOBUF", List.of()));
    assertUnusable(
        "which is of type PROTOBUF, not AVRO",
        record("Day", "A"),
        new SchemaReference("Type", "proto", 1));
  }

  @Test
  void namesAndDefaultsOfOldSchemasAreTaken() throws Exception {
    Schema schema =
        assemble(
            "{\"type\":\"record\",\"name\":\"old-record\",\"fields\":["
                + "{\"name\":\"my-field\",\"type\":\"int\",\"default\":\"none\"}]}");
    assertThat(schema.getField("my-field").schema().getType()).isEqualTo(Schema.Type.INT);
  }

  @Test
  void whatAvroCannotParseIsTheSchemasFault() {
    for (String broken :
        List.of(
            "",
            "{",
            "not json",
            "null",
            "{}",
            "[\"int\", \"int\"]",
            "{\"type\":\"fixed\",\"name\":\"f\",\"size\":-1}",
            "{\"type\":\"enum\",\"name\":\"e\",\"symbols\":3}",
            "{\"type\":\"record\",\"name\":\"r\",\"fields\":[{\"name\":\"a\",\"type\":\"Unknown\"}]}",
            "{\"type\":\"record\",\"name\":\"r\",\"fields\":[{\"name\":\"a\",\"type\":\"int\","
                + "\"order\":\"sideways\"}]}",
            "{\"type\":\"array\",\"items\":".repeat(2_000) + "\"int\"" + "}".repeat(2_000))) {
      assertUnusable("schema id 7 of " + host.url() + " cannot be parsed by Avro: ", broken);
    }
  }

  private void assertUnusable(String message, String schema, SchemaReference... references) {
    assertThatThrownBy(() -> assemble(schema, references))
        .isInstanceOfSatisfying(
            SchemaNotFoundException.class, e -> assertThat(e.id()).isEqualTo(SchemaId.of(7)))
        .hasMessageContaining(message);
  }

  private void register(String subject, int version, String schema, SchemaReference... references) {
    registered.put(
        "/subjects/" + subject + "/versions/" + version + "?deleted=true",
        new SchemaDocument(schema, "AVRO", List.of(references)));
  }

  /** A record with a field for each of the named types. */
  private static String record(String name, String types) {
    StringBuilder fields = new StringBuilder();
    for (String type : types.isEmpty() ? new String[0] : types.split(", ", -1)) {
      fields
          .append(fields.isEmpty() ? "" : ",")
          .append("{\"name\":\"" + type.toLowerCase(Locale.ROOT) + "\",")
          .append("\"type\":\"" + type + "\"}");
    }
    return "{\"type\":\"record\",\"name\":\"" + name + "\",\"fields\":[" + fields + "]}";
  }

  private Schema assemble(String schema, SchemaReference... references) throws Exception {
    return assemble(SchemaContext.DEFAULT, schema, references);
  }

  private Schema assemble(SchemaContext context, String schema, SchemaReference... references)
      throws Exception {
    try (RegistryHttp http =
        new RegistryHttp(HttpSettings.builder(host.url()).build(), new ConfluentDialect())) {
      return new SchemaAssembly(SchemaId.of(7), http)
          .assemble(new SchemaDocument(schema, "AVRO", List.of(references)), context);
    }
  }
}
