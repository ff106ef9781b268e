package io.tidemark.stack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

@Tag("faults")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class LocalStackIT {

  private static final Duration MINUTE = Duration.ofMinutes(1);

  private LocalStack stack;

  @BeforeAll
  void start() throws Exception {
    Path directory = Files.createTempDirectory(Path.of("target"), "stack-");
    stack = LocalStack.builder().directory(directory).all().start();
  }

  @AfterAll
  void closeLeavesNoProcessAlive() {
    List<ProcessHandle> processes =
        stack.processes().stream()
            .map(process -> ProcessHandle.of(process.pid()).orElseThrow())
            .toList();
    stack.close();
    assertThat(processes).hasSize(7).noneMatch(ProcessHandle::isAlive);
  }

  @Test
  void kafkaKeepsARecord() throws Exception {
    Map<String, Object> client = Map.of("bootstrap.servers", stack.kafka().bootstrapServers());
    TopicPartition topicPartition = new TopicPartition("greetings", 0);
    try (Admin admin = stack.kafka().admin();
        KafkaProducer<String, String> producer =
            new KafkaProducer<>(client, new StringSerializer(), new StringSerializer());
        KafkaConsumer<String, String> consumer =
            new KafkaConsumer<>(client, new StringDeserializer(), new StringDeserializer())) {
      admin.createTopics(Set.of(new NewTopic("greetings", 1, (short) 1))).all().get();
      producer.send(new ProducerRecord<>("greetings", "hello")).get();
      consumer.assign(Set.of(topicPartition));
      consumer.seekToBeginning(Set.of(topicPartition));
      assertThat(consumer.poll(MINUTE)).hasSize(1).first().extracting("value").isEqualTo("hello");
    }
  }

  @Test
  void registryKeepsASchemaOverAKill() throws Exception {
    String answer = post("/subjects/greetings-value/versions", "{\"schema\":\"\\\"string\\\"\"}");
    int id = new ObjectMapper().readTree(answer).path("id").asInt();
    stack.registry().process().kill();
    stack.registry().process().start();
    assertThat(get("/schemas/ids/" + id)).contains("string");
  }

  @Test
  void hdfsKeepsAFileOverAKillOfBothNodes() throws Exception {
    String path = "/some/dt=2026-11-21/a+b.avro";
    Instant begun = Instant.now().truncatedTo(ChronoUnit.MILLIS);
    stack.hdfs().files().write(path, "content".getBytes(StandardCharsets.UTF_8));
    stack.hdfs().nameNode().kill();
    stack.hdfs().dataNode().kill();
    stack.hdfs().nameNode().start();
    stack.hdfs().dataNode().start();
    assertThat(stack.hdfs().files().read(path)).asString().isEqualTo("content");
    assertThat(stack.hdfs().files().walk("/some"))
        .singleElement()
        .satisfies(
            entry -> {
              assertThat(entry.path()).isEqualTo(path);
              assertThat(entry.lengthBytes()).isEqualTo(7);
              assertThat(entry.modified()).isBetween(begun, Instant.now());
            });
  }

  @Test
  void hiveCountsTheRowsOfAnAvroTable() throws Exception {
    stack.hive().execute("CREATE TABLE t (n int) STORED AS AVRO", "INSERT INTO t VALUES (1), (2)");
    assertThat(stack.hive().query("SELECT count(*), sum(n), max(null) FROM t").get(0))
        .containsExactly(2L, 3L, null);
  }

  @Test
  void metastoreKeepsALongSchemaOverAKill() throws Exception {
    String fields =
        IntStream.range(0, 1_000)
            .mapToObj(n -> "{\"name\":\"measured_value_%04d\",\"type\":\"double\"}".formatted(n))
            .collect(Collectors.joining(","));
    String schema = "{\"type\":\"record\",\"name\":\"Wide\",\"fields\":[%s]}".formatted(fields);
    assertThat(schema).hasSizeGreaterThan(40_000);
    stack
        .hive()
        .execute(
            "CREATE TABLE wide STORED AS AVRO TBLPROPERTIES ('avro.schema.literal'='%s')"
                .formatted(schema));
    stack.metastore().process().kill();
    stack.metastore().process().start();
    assertThat(stack.hive().query("DESCRIBE wide")).hasSize(1_000);
  }

  @Test
  void connectAnswersAgainAfterAKill() {
    ConnectWorker worker = stack.connect().worker(0);
    long killed = worker.process().pid();
    worker.kill();
    assertThat(worker.process().isAlive()).isFalse();
    worker.start();
    assertThat(worker.process().pid()).isNotEqualTo(killed);
    assertThat(worker.client().status("nobody")).isEmpty();
    assertThatThrownBy(() -> worker.client().configure("c", Map.of("connector.class", "no.Such")))
        .isInstanceOf(ConnectRequestException.class)
        .hasMessageContaining("no.Such");
  }

  @Test
  void runningServerIsNotStartedTwice() {
    ServerProcess kafka = stack.kafka().broker(1).process();
    assertThatThrownBy(kafka::start)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("kafka is already running, as process " + kafka.pid());
  }

  private String get(String path) throws Exception {
    return send(HttpRequest.newBuilder(URI.create(stack.registry().url() + path)).build());
  }

  private String post(String path, String json) throws Exception {
    return send(
        HttpRequest.newBuilder(URI.create(stack.registry().url() + path))
            .header("Content-Type", "application/vnd.schemaregistry.v1+json")
            .POST(HttpRequest.BodyPublishers.ofString(json))
            .build());
  }

  private static String send(HttpRequest request) throws Exception {
    HttpResponse<String> response =
        HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
    assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
    return response.body();
  }
}
