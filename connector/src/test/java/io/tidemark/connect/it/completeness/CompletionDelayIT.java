package io.tidemark.connect.it.completeness;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidemark.connect.it.landed.LandedTable;
import io.tidemark.connect.it.landed.LogEntry;
import io.tidemark.connect.it.landed.RowKey;
import io.tidemark.connect.it.stack.ConnectorSettings;
import io.tidemark.connect.it.stack.Deployment;
import io.tidemark.connect.it.stack.OnRealStack;
import io.tidemark.connect.it.stack.Readings;
import io.tidemark.connect.it.stack.RealStack;
import io.tidemark.connect.it.stack.SourceTopic;
import io.tidemark.stack.Polling;
import io.tidemark.stack.WebHdfs;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Prints the delay between the last commit of a Hive partition's records and its {@code _SUCCESS},
 * and between its last account and the ledger's entry. The test does not check the delays. It
 * checks that each Hive partition is complete, with all of its rows.
 */
@OnRealStack
@Tag("long")
final class CompletionDelayIT {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int ENDS = 30;
  private static final Duration LENGTH = Duration.ofSeconds(5);
  private static final Duration LATENESS = Duration.ofSeconds(1);
  private static final Duration FLUSH = Duration.ofSeconds(1);
  private static final int TOPIC_PARTITIONS = 2;
  private static final Duration PAUSE = Duration.ofMillis(200);

  private static ConnectorSettings settings(SourceTopic topic) {
    return ConnectorSettings.of("delay", topic)
        .with("tasks.max", TOPIC_PARTITIONS)
        .with("partitioner.class", "TimeBasedPartitioner")
        .with("path.format", "'at'=yyyy-MM-dd-HH-mm-ss")
        .with("partition.duration.ms", LENGTH.toMillis())
        .with("consumer.override.isolation.level", "read_committed")
        .with("batch.interval.ms", FLUSH.toMillis())
        .with("log.retained.entries", 1_000)
        .with("completeness.interval.ms", LENGTH.toMillis())
        .with("completeness.lateness.ms", LATENESS.toMillis());
  }

  @Test
  void eachHivePartitionOfASteadyLoadIsCompleteSoonAfterItsLastCommit(RealStack stack)
      throws Exception {
    SourceTopic topic = stack.topic("delay", TOPIC_PARTITIONS);
    Deployment connector = stack.deploy(settings(topic));
    AccountTimes accounts = AccountTimes.begin(stack.services(), connector.name());
    load(stack, topic, Duration.ofMillis(LENGTH.toMillis() * (ENDS + 1)));
    connector.awaitLanded();
    LandedTable table = connector.table(topic);
    Map<String, Instant> committed = lastCommits(connector, topic);
    assertThat(committed).hasSizeGreaterThanOrEqualTo(ENDS);
    Polling.until(
        "all Hive partitions are complete",
        RealStack.DEADLINE,
        () -> {
          int shown = manifests(stack, topic).size();
          return shown >= committed.size()
              ? Optional.empty()
              : Optional.of("%d of %d are".formatted(shown, committed.size()));
        });

    List<Duration> delays = new ArrayList<>();
    Map<String, Long> counted = new TreeMap<>();
    for (WebHdfs.Entry manifest : manifests(stack, topic)) {
      String hivePartition = hivePartition(manifest);
      JsonNode total = JSON.readTree(stack.services().hdfs().files().read(manifest.path()));
      counted.put(hivePartition, total.findValue("records").asLong());
      delays.add(Duration.between(committed.get(hivePartition), manifest.modified()));
    }
    Map<String, Long> rows = new TreeMap<>();
    for (List<Object> row :
        table.query("SELECT `at`, count(*) FROM %s GROUP BY `at`".formatted(table.name()))) {
      rows.put("at=" + row.get(0), (Long) row.get(1));
    }
    assertThat(counted).isEqualTo(rows);
    print("commit", delays);
    List<Duration> fromAccounts = accounts.end(topic.name(), connector.log(topic));
    assertThat(fromAccounts).hasSizeGreaterThanOrEqualTo(ENDS);
    print("account", fromAccounts);
  }

  private static void print(String since, List<Duration> delays) {
    List<Duration> sorted = delays.stream().sorted().toList();
    System.out.printf(
        "delay: %d completions, from the last %s median %.1f s, 95 %% %.1f s, worst %.1f s; beside it lateness %d s, flush interval %d s%n",
        sorted.size(),
        since,
        seconds(sorted.get(sorted.size() / 2)),
        seconds(sorted.get(sorted.size() * 95 / 100)),
        seconds(sorted.get(sorted.size() - 1)),
        LATENESS.toSeconds(),
        FLUSH.toSeconds());
  }

  private static double seconds(Duration delay) {
    return delay.toMillis() / 1e3;
  }

  /** Sends records with the present time for a while. */
  private static void load(RealStack stack, SourceTopic topic, Duration time) throws Exception {
    int schema = stack.register(topic.name(), Readings.V1);
    Instant end = Instant.now().plus(time);
    for (long seq = 0; Instant.now().isBefore(end); seq++) {
      for (int each = 0; each < TOPIC_PARTITIONS; each++) {
        topic.sendRaw(
            new ProducerRecord<>(
                topic.name(),
                each,
                Instant.now().toEpochMilli(),
                null,
                Readings.framed(schema, Readings.reading(Readings.V1, new RowKey(each, seq)))));
      }
      Thread.sleep(PAUSE.toMillis());
    }
  }

  private static Map<String, Instant> lastCommits(Deployment connector, SourceTopic topic) {
    Map<String, Instant> last = new TreeMap<>();
    for (LogEntry batch : connector.log(topic).batches()) {
      for (JsonNode file : batch.files()) {
        last.merge(
            file.path("hivePartition").asText(),
            batch.writtenAt(),
            (one, other) -> one.isAfter(other) ? one : other);
      }
    }
    return last;
  }

  private static List<WebHdfs.Entry> manifests(RealStack stack, SourceTopic topic) {
    try {
      return stack.services().hdfs().files().walk("/topics/" + topic.name()).stream()
          .filter(entry -> entry.path().endsWith("/_SUCCESS"))
          .toList();
    } catch (IOException e) {
      throw new AssertionError("HDFS does not answer", e);
    }
  }

  private static String hivePartition(WebHdfs.Entry manifest) {
    String directory = manifest.path().substring(0, manifest.path().lastIndexOf('/'));
    return directory.substring(directory.lastIndexOf('/') + 1);
  }
}
