package io.tidemark.connect.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.connect.intake.LandingException;
import io.tidemark.connect.pipeline.FaultyRegistryHost.Api;
import io.tidemark.connect.pipeline.FaultyRegistryHost.Fault;
import io.tidemark.registry.SchemaRegistry;
import io.tidemark.registry.config.RegistryConfig;
import io.tidemark.store.MemoryStorage;
import io.tidemark.store.StoragePath;
import io.tidemark.store.TopicPartition;
import io.tidemark.store.commit.CommitEntry;
import io.tidemark.store.partition.PartitionSpec;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Lands through the real client while its registry has a fault. */
class RegistryFaultsTest {
  private static final int KNOWN_ID = 1;
  private static final int NEW_ID = 2;
  private static final Schema SCHEMA =
      SchemaBuilder.record("Quote").fields().requiredString("key").endRecord();
  private static final StoragePath ROOT = new StoragePath("/topics/quotes");
  private static final StoragePath LOG = new StoragePath("/logs/quotes/quotes");

  private final FakeTopic topic = new FakeTopic("quotes");
  private final MemoryStorage storage = new MemoryStorage();
  private final List<String> produced = new ArrayList<>();

  private static Stream<Arguments> faults() {
    return Arrays.stream(Api.values())
        .flatMap(
            api ->
                EnumSet.complementOf(EnumSet.of(Fault.NO_AVRO_SCHEMA)).stream()
                    .map(fault -> Arguments.of(api, fault)));
  }

  @ParameterizedTest
  @MethodSource("faults")
  void newIdPausesItsTopicPartitionKnownIdsLandOnAndNothingIsLost(Api api, Fault fault)
      throws Exception {
    try (FaultyRegistryHost host = new FaultyRegistryHost(api, SCHEMA.toString(), fault);
        SchemaRegistry registry = client(api, host).open();
        TestTask task = task(client(api, host), registry)) {
      produce(0, KNOWN_ID, 100);
      task.open(0, 1);
      task.pollUntilLanded(0);

      host.fail();
      produce(1, NEW_ID, 100);
      task.pollUntil(() -> host.faults() > 0 && task.isPaused(1));
      produce(0, KNOWN_ID, 200);
      task.pollUntilLanded(0);
      task.pollUntil(() -> host.faults() > 2);
      assertThat(committed(task, 1)).isLessThanOrEqualTo(0);
      assertThat(task.isPaused(1)).isTrue();

      host.heal();
      task.pollUntilLanded(0, 1);
    }
    assertThat(LandedRows.keys(storage, ROOT)).containsExactlyInAnyOrderElementsOf(produced);
    assertThat(offsetsOfBatches(0)).isEqualTo(300);
    assertThat(offsetsOfBatches(1)).isEqualTo(100);
  }

  @ParameterizedTest
  @CsvSource({"CONFLUENT, is of type PROTOBUF", "AVRO_1124, cannot be parsed by Avro"})
  void schemaThatIsNotAvroIsTheRecordsFaultAndWhatCameBeforeLands(Api api, String problem)
      throws Exception {
    try (FaultyRegistryHost host =
            new FaultyRegistryHost(api, SCHEMA.toString(), Fault.NO_AVRO_SCHEMA);
        SchemaRegistry registry = client(api, host).open();
        TestTask task = task(client(api, host), registry)) {
      produce(0, KNOWN_ID, 100);
      task.open(0);
      task.pollUntilLanded(0);
      List<String> landed = List.copyOf(produced);

      host.fail();
      produce(0, NEW_ID, 1);

      assertThatThrownBy(() -> task.pollUntilLanded(0))
          .isInstanceOf(LandingException.class)
          .hasMessageContaining("quotes-0@100")
          .hasMessageContaining("schema id 2")
          .hasMessageContaining(problem);
      assertThat(LandedRows.keys(storage, ROOT)).containsExactlyElementsOf(landed);
    }
  }

  /** A client with short time-outs, which leaves retries to the pipeline. */
  private static RegistryConfig client(Api api, FaultyRegistryHost host) {
    return RegistryConfig.parse(
        Map.of(
            "schema.registry.url", host.url(),
            "schema.registry.api", api.configured(),
            "bearer.auth.credentials.source", "OAUTHBEARER",
            "bearer.auth.issuer.endpoint.url", host.tokenUrl(),
            "bearer.auth.client.id", "tidemark",
            "bearer.auth.client.secret", "secret",
            "schema.registry.request.timeout.ms", "1000",
            "schema.registry.total.timeout.ms", "1000",
            "schema.registry.max.answer.bytes", "100000",
            "max.retries", "0"));
  }

  private TestTask task(RegistryConfig config, SchemaRegistry registry) {
    return new TestTask(
        topic,
        storage,
        registry,
        () -> config.reader(topic.name),
        PartitionSpec.NONE,
        Optional.empty(),
        50,
        100,
        TestTask.BadRecords.STOP,
        TestTask.Limits.WIDE);
  }

  private static long committed(TestTask task, int partition) {
    return task.committedOffsets().getOrDefault(new TopicPartition("quotes", partition), -1L);
  }

  /** The number of offsets of all batches, which must be contiguous. */
  private long offsetsOfBatches(int partition) throws Exception {
    long next = 0;
    for (CommitEntry.Batch batch :
        LandedRows.batches(storage, LOG.child(Integer.toString(partition)))) {
      assertThat(batch.range().first()).isEqualTo(next);
      next = batch.range().next();
    }
    return next;
  }

  private void produce(int partition, int schemaId, int count) throws IOException {
    for (int i = 0; i < count; i++) {
      String key = partition + "/" + produced.size();
      var value = new ByteArrayOutputStream();
      value.writeBytes(ByteBuffer.allocate(5).put((byte) 0).putInt(schemaId).array());
      BinaryEncoder encoder = EncoderFactory.get().directBinaryEncoder(value, null);
      encoder.writeString(key);
      topic.produce(partition, value.toByteArray());
      produced.add(key);
    }
  }
}
