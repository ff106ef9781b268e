package io.tidemark.connect.it.faults;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.connect.it.landed.LandedLedger;
import io.tidemark.connect.it.stack.ConnectorSettings;
import io.tidemark.connect.it.stack.OnRealStack;
import io.tidemark.connect.it.stack.RealStack;
import io.tidemark.connect.it.stack.StatedCompleteness;
import io.tidemark.stack.ConnectWorker;
import io.tidemark.stack.Polling;
import io.tidemark.stack.ServerProcess;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Completeness while services and workers fail. All statements are compared with the commit logs
 * and the rows afterwards.
 */
@OnRealStack
@Tag("faults")
final class CompletenessFaultsIT {

  @Test
  void tableWaitsWhileTheMetastoreIsAwayAndIsCompleteAfterItsReturn(RealStack stack) {
    ServerProcess metastore = stack.services().metastore().process();
    try (FaultScenario scenario =
        FaultScenario.begin(stack, "completeness-metastore", ConnectorSettings::statedOften)) {
      StatedCompleteness stated = scenario.connector().stated();
      stated.awaitThrough(scenario.topic(), Instant.now());
      metastore.kill();
      Instant away = Instant.now();
      scenario.progresses();
      // The landed Hive partition is not registered, so no task accounts for it. Or it was
      // registered just before, and the reckoner does not see it in the catalog.
      String held = heldWhileAway(scenario);
      assertThat(held).matches("(BEHIND|SERVICE_AWAY) .*completeness-metastore.*");
      scenario.progresses();
      assertThat(stated.through(scenario.topic()))
          .hasValueSatisfying(through -> assertThat(through).isBefore(away));
      Instant returned = Instant.now();
      scenario.endsWith(metastore::start);
      scenario.recovers();
      stated.awaitThrough(scenario.topic(), returned);
      assertNothingIsFalse(scenario);
    }
  }

  private static String heldWhileAway(FaultScenario scenario) {
    StatedCompleteness stated = scenario.connector().stated();
    String name = stated.table(scenario.topic());
    List<String> told = new ArrayList<>();
    Polling.until(
        name + " waits",
        RealStack.DEADLINE,
        () -> {
          JsonNode held = stated.state().path("tables").path(name).path("held");
          if (!held.isObject()) {
            return Optional.of("nothing holds it");
          }
          told.add(held.path("reason").asText() + " " + held.path("detail").asText());
          return Optional.empty();
        });
    return told.get(0);
  }

  @Test
  void ledgerGoesOnOnTheOtherWorkerWhenItsOwnIsKilled(RealStack stack) {
    try (FaultScenario scenario =
        FaultScenario.begin(stack, "ledger-worker-killed", ConnectorSettings::statedOften)) {
      StatedCompleteness stated = scenario.connector().stated();
      stated.awaitThrough(scenario.topic(), Instant.now());
      long former = reckoningProcess(stated);
      Instant killed = Instant.now();
      scenario.endsWith(() -> worker(stack, former).kill());
      scenario.recovers();
      stated.awaitThrough(scenario.topic(), killed);
      assertThat(reckoningProcess(stated)).isNotEqualTo(former);

      scenario.sendsOnce();
      Instant sent = Instant.now();
      stated.awaitThrough(scenario.topic(), sent);
      assertNothingIsFalse(scenario);
    }
  }

  /** The process that last claimed the ledger. */
  private static long reckoningProcess(StatedCompleteness stated) {
    return stated.ledger().entries().stream()
        .filter(entry -> entry.is("claim"))
        .mapToLong(LandedLedger.Entry::claimingProcess)
        .reduce((one, later) -> later)
        .orElseThrow();
  }

  private static ConnectWorker worker(RealStack stack, long process) {
    return stack.services().connect().workers().stream()
        .filter(worker -> worker.process().pid() == process)
        .findFirst()
        .orElseThrow();
  }

  /**
   * Each snapshot was covered when the ledger said so, the time through which the table is complete
   * never decreases, and each Hive partition finally has the number of rows of its last completion.
   */
  private static void assertNothingIsFalse(FaultScenario scenario) {
    List<LandedLedger.Entry> entries = scenario.connector().stated().ledger().entries();
    assertThat(entries).as("the ledger is not folded").noneMatch(entry -> entry.is("checkpoint"));
    assertThat(CoverageCheck.falseStatements(scenario, entries)).isEmpty();
    Polling.until(
        "each Hive partition is complete with its rows",
        RealStack.DEADLINE,
        () -> {
          Map<String, Long> rows = rows(scenario);
          Map<String, Long> complete = lastCompletions(scenario);
          return complete.equals(rows)
              ? Optional.empty()
              : Optional.of("the ledger has %s, and there are %s".formatted(complete, rows));
        });
  }

  private static Map<String, Long> rows(FaultScenario scenario) {
    var table = scenario.connector().table(scenario.topic());
    Map<String, Long> rows = new TreeMap<>();
    for (String path : table.published().keySet()) {
      String hivePartition = path.substring(table.root().length() + 1, path.lastIndexOf('/'));
      rows.merge(hivePartition, (long) table.read(path).keys().size(), Long::sum);
    }
    return rows;
  }

  private static Map<String, Long> lastCompletions(FaultScenario scenario) {
    Map<String, Long> complete = new TreeMap<>();
    for (LandedLedger.Entry entry : scenario.connector().stated().ledger().entries()) {
      for (JsonNode completion : entry.json().path("completions")) {
        JsonNode total = completion.path("total");
        complete.put(total.path("hivePartition").asText(), total.path("records").asLong());
      }
    }
    return complete;
  }
}
