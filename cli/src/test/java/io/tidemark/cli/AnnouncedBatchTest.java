package io.tidemark.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidemark.cli.DeployedConnector.Ended;
import io.tidemark.completeness.ledger.AnnouncedBatch;
import io.tidemark.completeness.ledger.AnnouncementsState;
import io.tidemark.completeness.ledger.BatchTally;
import io.tidemark.completeness.ledger.BatchVerdict;
import io.tidemark.completeness.ledger.CountedBatch;
import io.tidemark.completeness.ledger.HeldBecause;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@SuppressWarnings("NullAway.Init") // JUnit sets the fields.
class AnnouncedBatchTest {
  private static final Instant AT = Instant.parse("2026-11-21T08:00:00Z");
  private static final CountedBatch NINETY =
      CountedBatch.none(AT).plus("orders", new BatchTally(83, 7, 0), AT);

  @TempDir private Path directory;
  private DeployedConnector connector;

  @BeforeEach
  void deploy() throws Exception {
    connector = new DeployedConnector(directory);
    connector.config.put("completeness.batches.topic", "batches");
  }

  @AfterEach
  void stop() {
    connector.close();
  }

  private static AnnouncedBatch batch(long announced, Optional<BatchVerdict> verdict) {
    return new AnnouncedBatch(
        2, AT, AT, new TreeMap<>(Map.of("orders", announced)), false, NINETY, verdict);
  }

  private static Optional<BatchVerdict> said(HeldBecause because) {
    return Optional.of(new BatchVerdict(3, AT, Optional.of(because)));
  }

  private void announced(Map<String, AnnouncedBatch> open) throws Exception {
    connector.announcements =
        Optional.of(
            new AnnouncementsState(
                "id",
                List.of(4L),
                Optional.empty(),
                new TreeMap<>(open),
                new TreeMap<>(Map.of("later", NINETY)),
                List.of(),
                new TreeMap<>()));
    connector.reckon(Optional.empty(), List.of(), List.of());
  }

  private void allKinds() throws Exception {
    announced(
        Map.of(
            "equal", batch(90, Optional.of(new BatchVerdict(3, AT, Optional.empty()))),
            "short", batch(100, said(new HeldBecause("SHORT", "orders: 10 missing"))),
            "over", batch(80, said(new HeldBecause("OVER", "orders: 10 too many"))),
            "unknown", batch(90, said(new HeldBecause("UNKNOWN", "orders: 5 records were lost"))),
            "open", batch(90, Optional.empty())));
  }

  private Ended waitFor(String id) {
    return connector.run("wait", "--batch", id, "--timeout", "0s");
  }

  @Test
  void waitEndsWithWhatIsSaidOfTheBatch() throws Exception {
    allKinds();

    assertThat(waitFor("equal").code()).isZero();
    assertThat(waitFor("equal").out())
        .contains("batch equal is complete: 83 landed, 7 dead letters, 0 skipped of 90 announced");
    assertThat(waitFor("short").code()).isEqualTo(1);
    assertThat(waitFor("short").err()).contains("SHORT orders: 10 missing", "what to do: ");
    assertThat(waitFor("over").code()).isEqualTo(3);
    assertThat(waitFor("unknown").code()).isEqualTo(4);
    assertThat(waitFor("open").code()).isEqualTo(1);
    assertThat(waitFor("later").code()).isEqualTo(1);
    assertThat(waitFor("later").err()).contains("has counted 90 records of it");
    assertThat(waitFor("other").err()).contains("has counted 0 records of it");
  }

  /** Both have the same text for people. */
  @Test
  void batchIsToldFromAnotherOneThatIsShownAlike() throws Exception {
    announced(
        Map.of(
            "night\n21", batch(90, Optional.of(new BatchVerdict(3, AT, Optional.empty()))),
            "night\\n21", batch(100, said(new HeldBecause("SHORT", "orders: 10 missing")))));

    assertThat(waitFor("night\n21").code()).isZero();
    assertThat(waitFor("night\\n21").code()).isEqualTo(1);
  }

  @Test
  void waitForABatchRefusesWhatCannotBeMeant() throws Exception {
    allKinds();

    assertThat(connector.run("wait", "--batch", "equal", "--now").code()).isEqualTo(2);
    assertThat(connector.run("wait", "--batch", "equal", "--table", "default.orders").code())
        .isEqualTo(2);
    connector.config.remove("completeness.batches.topic");
    assertThat(waitFor("other").code()).isEqualTo(2);
    assertThat(waitFor("other").err()).contains("no completeness.batches.topic");
  }

  @Test
  void statusShowsBatchesThatAreNotComplete() throws Exception {
    allKinds();

    Ended ended = connector.run("status");

    assertThat(ended.code()).as("batches do not hold tables").isZero();
    assertThat(ended.out())
        .contains(
            "Announced batches: 1 complete, 4 not.",
            "batch short: 83 landed, 7 dead letters, 0 skipped of 100 announced",
            "OVER orders: 10 too many.")
        .doesNotContain("batch equal");
    JsonNode json = new ObjectMapper().readTree(connector.run("status", "--json").out());
    assertThat(json.path("batches"))
        .extracting(each -> each.path("id").asText() + " " + each.path("complete").asBoolean())
        .containsExactly("equal true", "open false", "over false", "short false", "unknown false");
  }
}
