package io.tidemark.connect.it.versions;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.connect.config.ConnectKeysIT;
import io.tidemark.connect.it.landed.LandedTable;
import io.tidemark.connect.it.landed.LogEntry;
import io.tidemark.connect.it.stack.Readings;
import io.tidemark.connect.it.stack.RealStack;
import io.tidemark.stack.ConnectWorker;
import io.tidemark.stack.LocalStack;
import io.tidemark.stack.Polling;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Landing, evolution, Hive partitions, and a worker killed during a batch, on the releases that
 * README names. {@code mvn verify -Pversions} runs it; {@code -Dends} runs only the ends.
 */
@Tag("versions")
final class VersionsIT {

  private static final ReleaseTable TABLE = new ReleaseTable();

  static List<Combination> combinations() {
    return System.getProperty("ends") == null ? Combination.all() : Combination.ends();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("combinations")
  void eachRecordLandsOnceOn(Combination combination) throws IOException {
    try (RealStack stack = RealStack.start(combination.releases(), combination.workersJava())) {
      try {
        String workers = stack.connect().get("/").path("version").asText();
        assertThat(workers).isEqualTo(LocalStack.versionOf(combination.releases().workers()));
        ConnectKeysIT.check(stack);
        land(stack);
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError(combination + ": " + e.getMessage() + "\n" + stack.report(), e);
      }
    }
    TABLE.ran(combination);
  }

  private static void land(RealStack stack) throws IOException {
    EvolvingTopic confluent = EvolvingTopic.begin(stack, "readings", Map.of());
    EvolvingTopic avro1124 =
        EvolvingTopic.begin(
            stack,
            "readings-avro-1124",
            Map.of(
                "schema.registry.api",
                "avro-1124",
                "schema.registry.url",
                stack.services().schemaRepo().url(),
                "schema.registry.id.format",
                "subject-int32"));
    List<EvolvingTopic> both = List.of(confluent, avro1124);
    both.forEach(each -> each.connector().awaitLanded());
    both.forEach(EvolvingTopic::evolve);
    both.forEach(each -> each.connector().awaitLanded());

    LandedTable table = confluent.table();
    List<LogEntry> committed = confluent.connector().log(confluent.topic()).batches();
    confluent.commitLate();
    confluent.topic().send(Readings.V2, EvolvingTopic.MIXED, 18_000);
    avro1124.topic().send(Readings.V2, EvolvingTopic.MIXED, 6_000);
    Polling.until(
        "a batch is under way",
        RealStack.DEADLINE,
        () -> table.staged().isEmpty() ? Optional.of("nothing is staged") : Optional.empty());
    assertThat(confluent.connector().shortfall(confluent.topic())).isPresent();
    ConnectWorker worker = stack.services().connect().worker(0);
    worker.kill();
    assertThat(table.staged()).as("what the killed task has left").isNotEmpty();

    worker.start();
    confluent.commitSoon();
    for (EvolvingTopic each : both) {
      each.assertLanded();
    }
    assertThat(confluent.connector().log(confluent.topic()).batches()).containsAll(committed);
    assertThat(table.staged()).isEmpty();
  }

  @AfterAll
  static void printTable() throws IOException {
    TABLE.end(combinations());
  }
}
