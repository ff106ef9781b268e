package io.tidemark.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.tidemark.registry.wire.WireFormat;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.connect.data.SchemaAndValue;
import org.apache.kafka.connect.sink.SinkRecord;
import org.apache.kafka.connect.sink.SinkTaskContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The framework's calls of a task, while all services are unavailable. */
final class TidemarkSinkTaskTest {
  private static final TopicPartition ASSIGNED = new TopicPartition("quotes", 0);
  private static final TopicPartition NOT_ASSIGNED = new TopicPartition("quotes", 1);

  private final Context context = new Context();
  private final TidemarkSinkTask task = new TidemarkSinkTask();

  @BeforeEach
  void start(@TempDir Path directory) {
    task.initialize(context);
    task.start(
        Map.of(
            "name",
            "quotes",
            "topics",
            "quotes",
            "kafka.bootstrap.servers",
            "localhost:1",
            "schema.registry.url",
            "http://localhost:1",
            "store.url",
            directory.toUri().toString(),
            "shutdown.timeout.ms",
            "0"));
    task.open(List.of(ASSIGNED));
  }

  @AfterEach
  void stop() {
    task.stop();
  }

  @Test
  void taskThatHasNotClaimedTellsNoOffsets() {
    assertThat(task.preCommit(currentOffsets())).isEmpty();
  }

  /** Connect's default header converter decodes text. A header may also have no value at all. */
  @ParameterizedTest
  @ValueSource(strings = {WireFormat.VALUE_HEADER, WireFormat.KEY_HEADER})
  void headerThatIsNoSchemaIdFailsNoTask(String name) {
    for (Object content : Arrays.asList(null, "7", 7L, List.of(7))) {
      SinkRecord record = new SinkRecord("quotes", 0, null, null, null, new byte[] {0}, 0);
      record.headers().add(name, new SchemaAndValue(null, content));
      assertThatCode(() -> task.put(List.of(record))).doesNotThrowAnyException();
    }
  }

  @Test
  void topicPartitionsThatAreNotAssignedAreIgnored() {
    task.close(List.of(ASSIGNED));
    assertThat(task.preCommit(currentOffsets())).isEmpty();
    task.close(List.of(ASSIGNED, NOT_ASSIGNED));
  }

  @Test
  void putIsCalledSoonAfterAPollThatWasBrokenOff() {
    task.put(List.of());
    context.pollIsBrokenOff();
    task.preCommit(currentOffsets());
    assertThat(context.timeoutMs).isBetween(1L, 1_000L);
  }

  private static Map<TopicPartition, OffsetAndMetadata> currentOffsets() {
    return Map.of(ASSIGNED, new OffsetAndMetadata(7), NOT_ASSIGNED, new OffsetAndMetadata(7));
  }

  /** The context that the framework gives to a task. Used by one thread. */
  private static final class Context implements SinkTaskContext {
    long timeoutMs = -1;

    /**
     * The framework wakes the consumer when the connector is paused, for example. The time-out was
     * for that poll.
     */
    void pollIsBrokenOff() {
      timeoutMs = -1;
    }

    @Override
    public Map<String, String> configs() {
      return Map.of();
    }

    @Override
    public void offset(Map<TopicPartition, Long> offsets) {}

    @Override
    public void offset(TopicPartition topicPartition, long offset) {}

    @Override
    public void timeout(long ms) {
      timeoutMs = ms;
    }

    @Override
    public Set<TopicPartition> assignment() {
      return Set.of();
    }

    @Override
    public void pause(TopicPartition... topicPartitions) {}

    @Override
    public void resume(TopicPartition... topicPartitions) {}

    @Override
    public void requestCommit() {}
  }
}
