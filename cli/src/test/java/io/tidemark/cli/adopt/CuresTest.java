package io.tidemark.cli.adopt;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.cli.adopt.Decision.Verdict;
import io.tidemark.cli.adopt.OldSinkArchive.State;
import io.tidemark.cli.adopt.WriteAheadLog.Rename;
import io.tidemark.store.StoragePath;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is refused or unfinished is accepted after what the report says was done. */
class CuresTest {
  // /topics/orders/city=a/orders+0+0000000000+0000000009.avro
  private static final Pattern PATH = Pattern.compile("/topics/[^ ,]+\\.avro");

  private final ExecutorService threads = Executors.newFixedThreadPool(1);

  @AfterEach
  void stop() {
    threads.shutdown();
  }

  private static State state(String name) throws IOException {
    return new OldSinkArchive(name.substring(0, name.indexOf('/'))).state(name);
  }

  private AdoptionReport examine(State state, OldSink sink) throws Exception {
    return new Adoption(state.storage(), sink, state.kafka(), Consents.NONE, Optional.of(threads))
        .examine();
  }

  @ParameterizedTest
  @CsvSource({
    "g-killed/07, 1",
    "g-killed/11, 0",
    "g-killed/15, 1",
    "h-continued/1-between-renames/killed, 0",
    "h-continued/2-between-renames/killed, 1",
    "h-continued/3-three-kills/killed-2, 1"
  })
  void finishedCommitHasEveryRecord(String name, int partition) throws Exception {
    State state = state(name);
    Decision before = partition(examine(state, state.sink()), partition).decision();
    assertThat(before.verdict()).isEqualTo(Verdict.TO_FINISH);

    for (Rename each : before.pending()) {
      state.storage().move(each.temporary(), each.target());
    }

    AdoptionReport.Partition after = partition(examine(state, state.sink()), partition);
    assertThat(after.decision().verdict()).isEqualTo(Verdict.ACCEPTED);
    assertThat(after.decision().next()).isEqualTo(before.next());
    long records = 0;
    for (JsonNode each :
        state.expected().get("partitions").get(partition).get("committedAfterPendingRenames")) {
      records += each.get(1).asLong() - each.get(0).asLong() + 1;
    }
    assertThat(after.records()).isEqualTo(records).isEqualTo(before.next().getAsLong());
    assertThat(after.names().withoutRecord()).isZero();
  }

  private static AdoptionReport.Partition partition(AdoptionReport report, int partition) {
    return report.topics().get(0).partitions().get(partition);
  }

  /** The sink gave removed names to records of later offsets. */
  @Test
  void wrongFilesOfARemovedCommitAreNamedAndCanBeMovedAway() throws Exception {
    State state = state("k-file-removed/after");
    AdoptionReport.Partition before = partition(examine(state, state.sink()), 0);
    assertThat(before.decision().verdict()).isEqualTo(Verdict.REFUSED);

    String text = before.decision().refusals().toString();
    List<StoragePath> named =
        PATH.matcher(text).results().map(each -> new StoragePath(each.group())).distinct().toList();
    assertThat(named)
        .hasSize(10)
        .extracting(StoragePath::value)
        .contains(
            "/topics/metrics-k/sensor=s08/metrics-k+0+0000000006+0000000045.avro",
            "/topics/metrics-k/sensor=s09/metrics-k+0+0000000009+0000000049.avro",
            "/topics/metrics-k/sensor=s10/metrics-k+0+0000000003+0000000046.avro");
    named.forEach(state.storage()::remove);

    AdoptionReport.Partition after = partition(examine(state, state.sink()), 0);
    assertThat(after.decision().verdict()).isEqualTo(Verdict.ACCEPTED);
    assertThat(after.decision().next()).hasValue(600);
    assertThat(after.records()).isEqualTo(550);
  }

  @Test
  void valuesThatHiveEscapesAreAcceptedWithoutHive() throws Exception {
    State state = state("d-hive/field");
    AdoptionReport refused = examine(state, state.sink());
    assertThat(refused.verdict()).isEqualTo(Verdict.REFUSED);
    assertThat(String.join("\n", AdoptionText.lines(refused))).contains("city=50%/grade=");

    Map<String, String> settings = new HashMap<>(state.sink().settings());
    settings.put("hive.integration", "false");
    assertThat(examine(state, new OldSink(settings)).verdict()).isEqualTo(Verdict.ACCEPTED);
  }
}
