package io.tidemark.connect.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.connect.intake.DeadLetterQueue;
import io.tidemark.connect.intake.LandingException;
import io.tidemark.connect.pipeline.FaultyRegistryHost.Api;
import io.tidemark.connect.pipeline.FaultyRegistryHost.Fault;
import io.tidemark.registry.SchemaRegistry;
import io.tidemark.registry.config.RegistryConfig;
import io.tidemark.registry.wire.FramingReader;
import io.tidemark.registry.wire.SchemaIdReader;
import io.tidemark.store.batch.NullValues;
import io.tidemark.store.partition.PartitionSpec;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Cures in the errors of the registry's client. An operator does what the error says, and every
 * record lands. The client is the real one, and its registry uses HTTP.
 */
@Timeout(300)
final class RegistryCuresTest {
  private final Quotes quotes = new Quotes();

  @Test
  void addressAtWhichNothingAcceptsConnectionsIsCorrected() throws Exception {
    quotes.produce(10);
    waits("http://localhost:" + closedPort(), "nothing accepts connections there");
    landsBy(Optional.empty());
  }

  @Test
  void addressWithAWrongPathIsCorrected() throws Exception {
    quotes.produce(10);
    try (FaultyRegistryHost wrong = host(Fault.WRONG_PATH)) {
      wrong.fail();
      waits(
          wrong.url(), "returned HTTP 404 without a registry's error code. The path of the URL is");
    }
    landsBy(Optional.empty());
  }

  @Test
  void recordsOfAnotherRegistryLandOnceThatIsNamed() throws Exception {
    quotes.produce(2, Quotes.SCHEMA, "of-another", 1L);
    assertThat(quotes.landOrStop(task(new OneSchema(Quotes.SCHEMA, 1))).orElseThrow())
        .hasMessageContaining("schema id 2 is unknown to memory")
        .hasMessageContaining("Check schema.registry.url");

    landsBy(Optional.empty());
  }

  @Test
  void schemaThatIsNotAvrosLetsItsRecordsGoToADeadLetterTopic() throws Exception {
    stopsForASchemaThatIsNotAvros();
    FakeDeadLetterQueue queue = new FakeDeadLetterQueue();
    try (FaultyRegistryHost host = host(Fault.NO_AVRO_SCHEMA);
        SchemaRegistry registry = client(host.url()).open()) {
      host.fail();
      quotes.land(task(registry, FramingReader::new, Optional.of(queue)));
    }
    assertThat(queue.offsets()).containsExactly(0L);
    assertThat(quotes.keys()).isEmpty();
  }

  @Test
  void correctedSchemaLandsBehindTheSkippedRecord() throws Exception {
    String error = stopsForASchemaThatIsNotAvros();
    quotes.produced.clear();
    quotes.produce(10);

    ToldSkip.apply(error, quotes.topic, quotes.storage);

    landsBy(Optional.empty());
  }

  private String stopsForASchemaThatIsNotAvros() throws Exception {
    quotes.produce(1);
    try (FaultyRegistryHost host = host(Fault.NO_AVRO_SCHEMA);
        SchemaRegistry registry = client(host.url()).open()) {
      host.fail();
      LandingException stop = quotes.landOrStop(task(registry)).orElseThrow();
      assertThat(stop)
          .hasMessageStartingWith("quotes-0@0: ")
          .hasMessageContaining("or skip such records");
      return String.valueOf(stop.getMessage());
    }
  }

  @Test
  void formatThatTheProducerWritesIsConfigured() throws Exception {
    quotes.produce(10);
    RegistryConfig other =
        RegistryConfig.parse(
            Map.of(
                "schema.registry.url", "http://localhost:1",
                "schema.registry.id.format", "single-object",
                "schema.registry.subjects", "quotes-value"));
    assertThat(
            quotes
                .landOrStop(
                    task(
                        new OneSchema(Quotes.SCHEMA, Quotes.SCHEMA_ID),
                        () -> other.reader("quotes"),
                        Optional.empty()))
                .orElseThrow())
        .hasMessageContaining("The producer uses another format")
        .hasMessageContaining("Configure the format that it writes");

    landsBy(Optional.empty());
  }

  private static int closedPort() throws IOException {
    try (ServerSocket open = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      return open.getLocalPort();
    }
  }

  /** The task does not fail: it waits and reports the reason. */
  private void waits(String url, String problem) {
    try (SchemaRegistry registry = client(url).open();
        TestTask task = task(registry)) {
      task.open(0);
      task.pollUntil(() -> task.pipeline.load().pausedBecause().contains(problem));
      assertThat(task.pipeline.load().pausedBecause()).contains(url, "schema.registry.url");
      assertThat(task.landed(0)).isFalse();
    }
  }

  /** Starts the task with a registry that has the schema. */
  private void landsBy(Optional<DeadLetterQueue> queue) throws IOException {
    try (FaultyRegistryHost host = host(Fault.NO_AVRO_SCHEMA);
        SchemaRegistry registry = client(host.url()).open()) {
      quotes.land(task(registry, FramingReader::new, queue));
    }
    assertThat(quotes.keys()).containsExactlyElementsOf(quotes.produced);
  }

  private static FaultyRegistryHost host(Fault fault) throws IOException {
    return new FaultyRegistryHost(Api.CONFLUENT, Quotes.SCHEMA.toString(), fault);
  }

  private static RegistryConfig client(String url) {
    return RegistryConfig.parse(
        new HashMap<>(
            Map.of(
                "schema.registry.url", url,
                "schema.registry.request.timeout.ms", "1000",
                "schema.registry.total.timeout.ms", "1000",
                "max.retries", "0")));
  }

  private TestTask task(SchemaRegistry registry) {
    return task(registry, FramingReader::new, Optional.empty());
  }

  private TestTask task(
      SchemaRegistry registry, Supplier<SchemaIdReader> framing, Optional<DeadLetterQueue> queue) {
    return new TestTask(
        quotes.topic,
        quotes.storage,
        registry,
        framing,
        PartitionSpec.NONE,
        Optional.empty(),
        100,
        100,
        new TestTask.BadRecords(queue, NullValues.FAIL, 10),
        TestTask.Limits.WIDE);
  }
}
