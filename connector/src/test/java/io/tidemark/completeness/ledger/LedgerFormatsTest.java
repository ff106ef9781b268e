package io.tidemark.completeness.ledger;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.store.log.CorruptLogException;
import io.tidemark.store.log.JsonFormat;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The evolution of the ledger's formats: docs/LEDGER.md. */
class LedgerFormatsTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final JsonFormat<LedgerEntry> FORMAT = LedgerEntry.FORMAT;
  private static final String PLACE = "hdfs://nn/ledger/logs/sales/log/00000000000000000042.json";
  private static final List<LedgerEntry> ENTRIES = LedgerExamples.ENTRIES;

  @ParameterizedTest
  @FieldSource("ENTRIES")
  void entryIsReadAsItWasWritten(LedgerEntry entry) throws Exception {
    assertThat(FORMAT.read(FORMAT.write(entry), PLACE)).isEqualTo(entry);
    assertThat(entry.attempt()).isEqualTo(LedgerExamples.ATTEMPT);
  }

  /** Without announced batches a state is equal to one of a build that does not know them. */
  @Test
  void stateWithoutAnnouncementsHasNull() throws Exception {
    LedgerEntry entry =
        new LedgerEntry.Claim(
            LedgerExamples.ATTEMPT,
            LedgerExamples.STATE.with(draft -> draft.announcements = Optional.empty()),
            LedgerExamples.AT,
            "sales",
            "w1");
    byte[] text = FORMAT.write(entry);

    assertThat(JSON.readTree(text).path("state").path("announcements").isNull()).isTrue();
    assertThat(FORMAT.read(text, PLACE)).isEqualTo(entry);
  }

  @Test
  void everyKindOfEntryIsTriedAndHasAName() {
    assertThat(ENTRIES)
        .extracting(Object::getClass)
        .containsExactlyInAnyOrderElementsOf(
            List.<Class<?>>of(LedgerEntry.class.getPermittedSubclasses()));
    assertThat(LedgerEntry.class.getAnnotation(JsonSubTypes.class).value())
        .extracting(JsonSubTypes.Type::value)
        .containsExactlyInAnyOrder(LedgerEntry.class.getPermittedSubclasses());
  }

  @Test
  void accountAndManifestAreReadAsTheyWereWritten() throws Exception {
    Account account = LedgerExamples.ACCOUNT;
    Manifest manifest = LedgerExamples.MANIFEST;

    assertThat(Account.FORMAT.read(Account.FORMAT.write(account), PLACE)).isEqualTo(account);
    assertThat(Manifest.FORMAT.read(Manifest.FORMAT.write(manifest), PLACE)).isEqualTo(manifest);
  }

  @Test
  void textHasTheVersionFirstAndTablesByTheirNames() throws Exception {
    String text = new String(Account.FORMAT.write(LedgerExamples.ACCOUNT), UTF_8);
    JsonNode log = JSON.readTree(text).path("logs").path(0);

    assertThat(text.replaceAll("\\s", "")).startsWith("{\"version\":1,\"log\":\"sales\"");
    assertThat(log.path("unseen").path(0).path("table").asText()).isEqualTo("default.orders");
  }

  @Test
  void timeOfEmptyHivePartitionsIsNullWhereThereAreNone() throws Exception {
    Instant made = Instant.parse("2026-11-21T09:00:00Z");
    for (Optional<Instant> emptiesThrough : List.of(Optional.of(made), Optional.<Instant>empty())) {
      LedgerState with =
          LedgerState.initial()
              .with(
                  draft ->
                      draft.tables =
                          new TreeMap<>(
                              Map.of(
                                  "default.orders",
                                  new TableState(
                                          List.of("orders"), Optional.empty(), Optional.empty())
                                      .withEmptiesThrough(emptiesThrough))));
      LedgerEntry entry =
          new LedgerEntry.Claim(LedgerExamples.ATTEMPT, with, made, "sales", "4711@w1");
      byte[] text = FORMAT.write(entry);

      assertThat(
              JSON.readTree(text)
                  .at("/state/tables/default.orders")
                  .path("emptiesThrough")
                  .isNull())
          .isEqualTo(emptiesThrough.isEmpty());
      assertThat(FORMAT.read(text, PLACE)).isEqualTo(entry);
    }
  }

  @Test
  void refusedManifestsAreNullWhereThereAreNone() throws Exception {
    LedgerState before = LedgerExamples.STATE;
    TableState table = Objects.requireNonNull(before.tables().get("default.orders"));
    LedgerEntry entry =
        new LedgerEntry.Claim(
            LedgerExamples.ATTEMPT,
            before.with(
                draft ->
                    draft.tables =
                        new TreeMap<>(
                            Map.of(
                                "default.orders",
                                table.refusing("dt=2026-11-21/hour=07", "no permission")))),
            Instant.EPOCH,
            "sales",
            "4711@w1");

    assertThat(FORMAT.read(FORMAT.write(entry), PLACE)).isEqualTo(entry);
    assertThat(
            JSON.readTree(FORMAT.write(LedgerExamples.ENTRIES.get(0)))
                .at("/state/tables/default.orders")
                .path("refused")
                .isNull())
        .isTrue();
  }

  @ParameterizedTest
  @FieldSource("ENTRIES")
  void unknownFieldOfAnEntryIsIgnoredAndOneOfItsStateIsKept(LedgerEntry entry) throws Exception {
    LedgerEntry read =
        FORMAT.read(
            changed(
                FORMAT.write(entry),
                node -> {
                  node.put("version", 9).put("colour", "blue");
                  ((ObjectNode) node.path("state")).put("newer", 7);
                }),
            PLACE);

    JsonNode written = JSON.readTree(FORMAT.write(read));
    assertThat(written.has("colour")).isFalse();
    assertThat(written.path("version").intValue()).isEqualTo(1);
    assertThat(written.path("state").path("newer").intValue()).isEqualTo(7);
    assertThat(written.path("state").path("later").toString()).isEqualTo("{\"a\":[1,null]}");
    assertThat(written.path("state").has("unknown")).isFalse();
  }

  @ParameterizedTest
  @FieldSource("ENTRIES")
  void missingFieldIsDamage(LedgerEntry entry) throws Exception {
    byte[] whole = FORMAT.write(entry);
    for (String field : fields((ObjectNode) JSON.readTree(whole))) {
      assertThatThrownBy(() -> FORMAT.read(changed(whole, node -> node.remove(field)), PLACE))
          .as(field)
          .isInstanceOf(CorruptLogException.class)
          .hasMessageStartingWith(PLACE)
          .hasMessageContaining("Restore it from a copy");
    }
    for (String field : fields((ObjectNode) JSON.readTree(whole).path("state"))) {
      if (!field.equals("later")) {
        assertThatThrownBy(
                () ->
                    FORMAT.read(
                        changed(whole, node -> ((ObjectNode) node.path("state")).remove(field)),
                        PLACE))
            .as("state.%s", field)
            .isInstanceOf(CorruptLogException.class)
            .hasMessageContaining(field)
            .hasMessageContaining("damaged or edited");
      }
    }
  }

  @Test
  void unknownFeatureIsRefusedWithBothVersionsAndTheCure() {
    assertThatThrownBy(
            () ->
                FORMAT.read(
                    changed(
                        FORMAT.write(ENTRIES.get(0)),
                        node -> {
                          node.put("version", 2);
                          ((ObjectNode) node.path("state")).putArray("requires").add("routing");
                        }),
                    PLACE))
        .isInstanceOf(CorruptLogException.class)
        .hasMessage(
            PLACE
                + ": the ledger's entry has version 2 and requires the feature \"routing\", which this connector does"
                + " not know: it reads version 1. A newer version of the connector has written it. Deploy that"
                + " version or a later one on every worker. If there is none, the file was damaged: restore it from"
                + " a copy.");
  }

  @Test
  void kindOfANewerVersionIsRefusedWithBothVersions() {
    assertThatThrownBy(
            () ->
                FORMAT.read(
                    changed(
                        FORMAT.write(ENTRIES.get(0)),
                        node -> node.put("version", 2).put("type", "replace")),
                    PLACE))
        .isInstanceOf(CorruptLogException.class)
        .hasMessageContaining("has version 2 and is of the type \"replace\"");
  }

  @Test
  void featureOfAnAccountOrAManifestThatIsNotKnownIsRefused() {
    Consumer<ObjectNode> change = node -> node.putArray("requires").add("batches");

    assertThatThrownBy(
            () ->
                Account.FORMAT.read(
                    changed(Account.FORMAT.write(LedgerExamples.ACCOUNT), change), PLACE))
        .isInstanceOf(CorruptLogException.class)
        .hasMessageContaining("the account has version 1 and requires the feature \"batches\"");
    assertThatThrownBy(
            () ->
                Manifest.FORMAT.read(
                    changed(Manifest.FORMAT.write(LedgerExamples.MANIFEST), change), PLACE))
        .isInstanceOf(CorruptLogException.class)
        .hasMessageContaining("the manifest has version 1 and requires the feature \"batches\"");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "[]", "{}", "{\"version\":0}", "{\"version\":\"1\"}", "4711"})
  void whatIsNoObjectWithAVersionIsRefused(String text) {
    assertThatThrownBy(() -> Account.FORMAT.read(text.getBytes(UTF_8), PLACE))
        .isInstanceOf(CorruptLogException.class)
        .hasMessageStartingWith(
            PLACE + ": the account cannot be read: it is not a JSON object with a version")
        .hasMessageContaining("Restore it from a copy");
  }

  /** Accounts with a contradictory pointer. */
  static Stream<Consumer<ObjectNode>> contradictions() {
    return Stream.of(
        log -> log.put("number", 0),
        log -> log.put("topicPartition", -1),
        log -> log.put("since", 0),
        log -> log.putNull("attempt"),
        log -> log.remove("unseen"));
  }

  @ParameterizedTest
  @MethodSource("contradictions")
  void accountThatContradictsItselfIsDamage(Consumer<ObjectNode> contradiction) {
    assertThatThrownBy(
            () ->
                Account.FORMAT.read(
                    changed(
                        Account.FORMAT.write(LedgerExamples.ACCOUNT),
                        node -> contradiction.accept((ObjectNode) node.path("logs").path(0))),
                    PLACE))
        .isInstanceOf(CorruptLogException.class)
        .hasMessageStartingWith(PLACE + ": the account cannot be read: ")
        .hasMessageContaining("damaged or edited");
  }

  @Test
  void completionBeforeItsSnapshotIsDamage() {
    assertThatThrownBy(
            () ->
                Manifest.FORMAT.read(
                    changed(
                        Manifest.FORMAT.write(LedgerExamples.MANIFEST),
                        node ->
                            ((ObjectNode) node.path("completion"))
                                .put("askedAt", "2026-11-21T07:59:59Z")),
                    PLACE))
        .isInstanceOf(CorruptLogException.class)
        .hasMessageContaining("cannot be complete by snapshot 12");
  }

  private static List<String> fields(ObjectNode node) {
    List<String> names = new ArrayList<>();
    node.fieldNames().forEachRemaining(names::add);
    return names;
  }

  private static byte[] changed(byte[] text, Consumer<ObjectNode> change) {
    try {
      ObjectNode node = (ObjectNode) JSON.readTree(text);
      change.accept(node);
      return JSON.writeValueAsBytes(node);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
