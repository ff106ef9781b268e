package io.tidemark.connect;

import io.tidemark.connect.metrics.TaskThread;
import io.tidemark.connect.pipeline.LandingException;
import io.tidemark.connect.pipeline.LandingPipeline;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.sink.SinkRecord;
import org.apache.kafka.connect.sink.SinkTask;
import org.jspecify.annotations.Nullable;

/**
 * A task: hands the bytes of records to its pipeline and turns the pipeline's words into Kafka
 * Connect's.
 */
public final class TidemarkSinkTask extends SinkTask {
  private static final long NO_TIMESTAMP = -1;

  private @Nullable TaskRuntime runtime;

  @Override
  public void start(Map<String, String> props) {
    runtime = TaskRuntime.start(new ConnectorConfig(props), new ConsumerOfTask(context));
    runtime.pipeline().start();
  }

  @Override
  public void open(Collection<TopicPartition> partitions) {
    pipeline().open(partitions);
  }

  @Override
  public void put(Collection<SinkRecord> records) {
    LandingPipeline pipeline = pipeline();
    TaskThread thread = runtime().taskThread();
    thread.putBegins();
    try {
      for (SinkRecord record : records) {
        Long timestamp = record.timestamp();
        pipeline.accept(
            record.originalTopic(),
            record.originalKafkaPartition(),
            record.originalKafkaOffset(),
            timestamp == null ? NO_TIMESTAMP : timestamp,
            bytes(record));
      }
      pipeline.endOfPut();
    } catch (LandingException e) {
      throw new ConnectException(e.getMessage(), e);
    } finally {
      thread.putEnds();
    }
  }

  @Override
  public Map<TopicPartition, OffsetAndMetadata> preCommit(
      Map<TopicPartition, OffsetAndMetadata> currentOffsets) {
    Map<TopicPartition, OffsetAndMetadata> committed = new HashMap<>();
    pipeline()
        .committedOffsets()
        .forEach(
            (topicPartition, next) -> {
              // The framework asks for what it names, and refuses what its consumer has not
              // reached.
              OffsetAndMetadata current = currentOffsets.get(topicPartition);
              if (current != null && next <= current.offset()) {
                committed.put(topicPartition, new OffsetAndMetadata(next));
              }
            });
    return committed;
  }

  @Override
  public void close(Collection<TopicPartition> partitions) {
    if (runtime != null) {
      runtime.pipeline().close(partitions);
    }
  }

  @Override
  public void stop() {
    if (runtime != null) {
      runtime.close();
      runtime = null;
    }
  }

  @Override
  public String version() {
    return Version.CURRENT;
  }

  private LandingPipeline pipeline() {
    return runtime().pipeline();
  }

  private TaskRuntime runtime() {
    if (runtime == null) {
      throw new IllegalStateException("the task is not started");
    }
    return runtime;
  }

  private static byte[] bytes(SinkRecord record) {
    Object value = record.value();
    if (value instanceof byte[] bytes) {
      return bytes;
    }
    String place =
        record.originalTopic()
            + "-"
            + record.originalKafkaPartition()
            + "@"
            + record.originalKafkaOffset();
    if (value == null) {
      throw new ConnectException(
          place
              + ": the record has no value (a tombstone), and a table has no place for it. The topic is compacted, or "
              + "the producer deletes by key. Only behavior.on.null.values=fail is there yet: produce such records to "
              + "another topic, or move the connector's offset past this record.");
    }
    throw new ConnectException(
        place
            + ": the value is a "
            + value.getClass().getName()
            + ", not bytes: a converter has decoded it. Tidemark lands Avro without decoding it. Set in the connector's "
            + "config: value.converter="
            + ConnectorConfig.BYTE_ARRAY_CONVERTER);
  }
}
