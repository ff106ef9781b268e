package io.tidemark.connect.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidemark.connect.it.landed.LandedTable;
import io.tidemark.connect.it.stack.ConnectorSettings;
import io.tidemark.connect.it.stack.Deployment;
import io.tidemark.connect.it.stack.OnSharedStack;
import io.tidemark.connect.it.stack.Readings;
import io.tidemark.connect.it.stack.RealStack;
import io.tidemark.connect.it.stack.SourceTopic;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The examples of config/ are deployed unchanged, except for a shorter flush interval. */
@OnSharedStack
final class ExamplesIT {
  private static final Path FOLDER = Path.of("..", "config");
  private static final int READINGS = 500;

  /** Keys that get the addresses of this stack, or that the stack has only one value for. */
  private static final List<String> OF_THE_STACK =
      List.of(
          "kafka.bootstrap.servers",
          "schema.registry.url",
          "store.url",
          "hive.metastore.uris",
          "hive.database");

  @ParameterizedTest
  @CsvSource({
    "by-time.json, /dt=2026-11-20/hour=23/",
    "by-field.json, /unit=C3/",
    "high-throughput.json, ''",
    "low-latency.json, /year=2026/month=11/day=20/",
  })
  void exampleLandsAsItStands(String file, String hivePartition, RealStack stack)
      throws IOException {
    Map<String, String> example = new HashMap<>(config(file));
    OF_THE_STACK.forEach(example::remove);
    example.replace("errors.deadletterqueue.topic.replication.factor", "1");
    // The test does not wait for minutes. Keys that tests usually set keep their defaults.
    example.put("batch.interval.ms", "2000");
    example.putIfAbsent("retry.backoff.ms", "");
    // Nor is the present hour completed as an empty Hive partition if it ends meanwhile.
    example.replace("completeness.lateness.ms", "3600000");
    SourceTopic topic = stack.topic(example.getOrDefault("topics", ""), 4);
    topic.send(Readings.V2, 0, READINGS);
    ConnectorSettings settings =
        new ConnectorSettings(example.getOrDefault("name", ""), List.of(topic), example);

    Deployment connector = stack.deploy(settings);
    connector.landsExactly();

    LandedTable table = connector.table(topic);
    assertThat(table.published().keySet()).isNotEmpty();
    assertThat(table.published().keySet()).anyMatch(path -> path.contains(hivePartition));
  }

  private static Map<String, String> config(String file) throws IOException {
    return new ObjectMapper()
        .readValue(FOLDER.resolve(file).toFile(), new TypeReference<HashMap<String, String>>() {});
  }
}
