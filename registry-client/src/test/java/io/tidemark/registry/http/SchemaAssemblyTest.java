package io.tidemark.registry.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.registry.SchemaId;
import io.tidemark.registry.SchemaNotFoundException;
import io.tidemark.registry.http.Reply.Found;
import io.tidemark.registry.http.Reply.Missing;
import io.tidemark.registry.http.SchemaDocument.Reference;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import org.apache.avro.Schema;
import org.junit.jupiter.api.Test;

final class SchemaAssemblyTest {
  private final Map<String, SchemaDocument> registered = new HashMap<>();
  private final List<String> asked = new ArrayList<>();

  @Test
  void sharedReferenceIsFetchedOnce() throws Exception {
    register("money", 1, record("Money", ""));
    register("order", 2, record("Order", "Money"), new Reference("money", 1));
    register("refund", 3, record("Refund", "Money"), new Reference("money", 1));

    Schema schema =
        assemble(
            record("Day", "Order, Refund"), new Reference("order", 2), new Reference("refund", 3));

    assertThat(schema.getField("order").schema().getField("money").schema())
        .isEqualTo(schema.getField("refund").schema().getField("money").schema());
    assertThat(asked)
        .containsExactly(
            "/subjects/order/versions/2?deleted=true",
            "/subjects/money/versions/1?deleted=true",
            "/subjects/refund/versions/3?deleted=true");
  }

  @Test
  void subjectIsEncodedInThePath() throws Exception {
    register("a%2Fb%20%3A.%2B%C3%A9", 1, record("Money", ""));
    assertThat(assemble(record("Day", "Money"), new Reference("a/b :.+é", 1)).getName())
        .isEqualTo("Day");
  }

  @Test
  void circleIsRefused() {
    register("a", 1, record("A", "B"), new Reference("b", 1));
    register("b", 1, record("B", "A"), new Reference("a", 1));
    assertUnusable(
        "schema id 7 of http://registry refers to subject a version 1, which refers to subject b"
            + " version 1, which refers back to subject a version 1. ",
        record("Day", "A"),
        new Reference("a", 1));
  }

  @Test
  void missingReferenceIsNamed() {
    assertUnusable(
        "schema id 7 of http://registry refers to subject a version 4, which the registry does not"
            + " have.",
        record("Day", "A"),
        new Reference("a", 4));
  }

  @Test
  void endlessReferencesAreCutOff() {
    for (int i = 0; i < 40; i++) {
      register("s" + i, 1, record("S" + i, "S" + (i + 1)), new Reference("s" + (i + 1), 1));
    }
    assertUnusable("is one too many", record("Day", "S0"), new Reference("s0", 1));
    assertThat(asked).hasSize(32);
  }

  @Test
  void otherTypesThanAvroAreRefusedByName() {
    registered.put(
        "/subjects/proto/versions/1?deleted=true",
        new SchemaDocument("syntax = \"proto3\";", "PROTOBUF", List.of()));
    assertUnusable(
        "which is of type PROTOBUF, not AVRO", record("Day", "A"), new Reference("proto", 1));
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
      assertUnusable("schema id 7 of http://registry cannot be parsed by Avro: ", broken);
    }
  }

  private void assertUnusable(String message, String schema, Reference... references) {
    assertThatThrownBy(() -> assemble(schema, references))
        .isInstanceOfSatisfying(
            SchemaNotFoundException.class, e -> assertThat(e.id()).isEqualTo(SchemaId.of(7)))
        .hasMessageContaining(message);
  }

  private void register(String subject, int version, String schema, Reference... references) {
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

  private Schema assemble(String schema, Reference... references) throws Exception {
    Rounds rounds =
        new Rounds(
            ConfluentSettings.builder("http://registry").build(),
            (endpoint, path, timeoutMs) -> {
              asked.add(path);
              SchemaDocument document = registered.get(path);
              return document == null ? new Missing() : new Found(document);
            },
            () -> 0,
            new SplittableRandom(42),
            ms -> true);
    return new SchemaAssembly(SchemaId.of(7), "http://registry", rounds)
        .assemble(new SchemaDocument(schema, "AVRO", List.of(references)));
  }
}
