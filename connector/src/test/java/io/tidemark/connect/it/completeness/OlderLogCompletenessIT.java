package io.tidemark.connect.it.completeness;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidemark.connect.it.landed.LandedLedger;
import io.tidemark.connect.it.stack.ConnectorSettings;
import io.tidemark.connect.it.stack.Deployment;
import io.tidemark.connect.it.stack.OnSharedStack;
import io.tidemark.connect.it.stack.RealStack;
import io.tidemark.connect.it.stack.SourceTopic;
import io.tidemark.stack.WebHdfs;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.apache.kafka.clients.admin.TopicDescription;
import org.junit.jupiter.api.Test;

/**
 * A ledger that begins after records have landed. The log is a fixture, which has no ledger, with
 * the identities of the real cluster and the real topic.
 */
@OnSharedStack
final class OlderLogCompletenessIT {

  private static final ObjectMapper JSON = new ObjectMapper();

  /** In its topic-partition 0 a checkpoint replaces three of the five batches. */
  private static final Path FIXTURE =
      Path.of("src/test/resources/fixtures/log-version-1/entries-above-a-checkpoint");

  private static final String NAME = "quotes";

  @Test
  void tableThatIsOlderThanTheLedgerIsCompleteAndSaysWhatIsPartial(RealStack stack)
      throws Exception {
    JsonNode fixture = JSON.readTree(Files.readAllBytes(FIXTURE.resolve("fixture.json")));
    SourceTopic topic = stack.topic(NAME, 2);
    Framing framing = new Framing(stack, fixture);
    for (JsonNode record : fixture.at("/kafka/partitions/0/records")) {
      topic.sendRaw(0, framing.value(record));
    }
    putStore(stack);
    Deployment connector =
        stack.deploy(
            ConnectorSettings.of(NAME, topic).statedOften().with("hive.database", "default"));
    Instant deployed = Instant.now();
    connector.stated().awaitTableThrough("default.quotes", deployed);

    JsonNode opened = connector.stated().state().path("topics").path(NAME);
    assertThat(opened.path("counts").path("landed").asLong())
        .as("also those that the checkpoint stands for")
        .isEqualTo(10);
    assertThat(opened.path("partialBefore").isTextual())
        .as("what the checkpoint stands for is in no total: %s", opened)
        .isTrue();
    assertThat(recordsTaken(connector)).isEqualTo(4);

    List<String> keys = new ArrayList<>();
    fixture.at("/rows").forEach(place -> place.forEach(key -> keys.add(key.asText())));
    for (JsonNode record : fixture.path("later")) {
      topic.sendRaw(record.path("partition").asInt(), framing.value(record));
      keys.add(record.path("key").asText());
    }
    Instant sent = Instant.now();
    connector.stated().awaitTableThrough("default.quotes", sent);
    assertThat(recordsTaken(connector)).isEqualTo(6);
    assertThat(connector.table(topic).query("SELECT key FROM default.quotes"))
        .extracting(row -> String.valueOf(row.get(0)))
        .containsExactlyInAnyOrderElementsOf(keys);
  }

  /** The sum of the records in all totals of the ledger. */
  private static long recordsTaken(Deployment connector) {
    long records = 0;
    for (LandedLedger.Entry entry : connector.stated().ledger().entries()) {
      for (JsonNode sum : entry.json().path("sums")) {
        records += sum.path("records").asLong();
      }
    }
    return records;
  }

  /** Values with the ids that the real registry assigns to the fixture's schemas. */
  private record Framing(RealStack stack, JsonNode fixture) {

    byte[] value(JsonNode record) {
      byte[] value = Base64.getDecoder().decode(record.path("value").asText());
      int id = ByteBuffer.wrap(value).getInt(1);
      Schema schema = new Schema.Parser().parse(fixture.at("/schemas/" + id).toString());
      return ByteBuffer.wrap(value).putInt(1, stack.register(NAME, schema)).array();
    }
  }

  private static void putStore(RealStack stack) throws Exception {
    Map<String, String> identities =
        Map.of(
            "cluster-1",
            RealStack.joined(stack.admin().describeCluster().clusterId(), "the cluster's id"),
            "topic-id-1",
            topicId(stack));
    WebHdfs hdfs = stack.services().hdfs().files();
    try (Stream<Path> files = Files.walk(FIXTURE)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        String path = "/" + FIXTURE.relativize(file);
        if (!path.equals("/fixture.json")) {
          hdfs.write(path, withIdentities(file, identities));
        }
      }
    }
    own(hdfs, "/logs/" + NAME);
    own(hdfs, "/topics/" + NAME);
  }

  private static String topicId(RealStack stack) {
    Map<String, TopicDescription> described =
        RealStack.joined(
            stack.admin().describeTopics(List.of(NAME)).allTopicNames(), "the topic's id");
    return Objects.requireNonNull(described.get(NAME)).topicId().toString();
  }

  private static byte[] withIdentities(Path file, Map<String, String> identities)
      throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    if (!file.toString().endsWith(".json")) {
      return bytes;
    }
    String text = new String(bytes, StandardCharsets.UTF_8);
    for (Map.Entry<String, String> identity : identities.entrySet()) {
      text = text.replace("\"" + identity.getKey() + "\"", "\"" + identity.getValue() + "\"");
    }
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static void own(WebHdfs hdfs, String directory) throws IOException {
    hdfs.setOwner(directory, RealStack.CONNECTOR_USER);
    for (WebHdfs.Entry entry : hdfs.list(directory)) {
      if (entry.directory()) {
        own(hdfs, entry.path());
      } else {
        hdfs.setOwner(entry.path(), RealStack.CONNECTOR_USER);
      }
    }
  }
}
