package io.tidemark.connect;

import io.tidemark.connect.DeadLetterReporter.Delivered;
import io.tidemark.connect.config.ConnectorConfig;
import io.tidemark.connect.intake.DeadLetterQueue;
import io.tidemark.connect.intake.LandingException;
import io.tidemark.connect.kafka.KafkaPartition;
import io.tidemark.connect.metrics.TaskThread;
import io.tidemark.connect.pipeline.LandingPipeline;
import io.tidemark.registry.wire.WireFormat;
import io.tidemark.store.PrintableFailure;
import io.tidemark.store.batch.DeliveredRecord;
import io.tidemark.store.batch.IncomingRecord;
import io.tidemark.store.batch.RecordKey;
import java.time.Clock;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.header.Header;
import org.apache.kafka.connect.header.Headers;
import org.apache.kafka.connect.sink.SinkRecord;
import org.apache.kafka.connect.sink.SinkTask;
import org.jspecify.annotations.Nullable;

/**
 * The task of the connector. Passes the bytes of records to its pipeline, and converts the
 * pipeline's types and exceptions to Connect's.
 */
public final class TidemarkSinkTask extends SinkTask {
  private static final byte[] NO_ID = {};
  private static final String DECODED =
      "%s: the %s is a %s, not bytes: a converter has decoded it. Tidemark copies Avro without decoding it. Set in the connector's config: %s";

  private @Nullable TaskRuntime runtime;
  private boolean keepRecords;
  private @Nullable BatchIdHeader batchIds;
  private @Nullable RecordTime times;
  private @Nullable ColumnsOfKafka columns;
  private boolean withKeys;

  @Override
  public void start(Map<String, String> props) {
    ConnectorConfig config = new ConnectorConfig(props);
    Optional<DeadLetterQueue> deadLetters = DeadLetterReporter.of(context, config);
    keepRecords = deadLetters.isPresent();
    batchIds = BatchIdHeader.of(config).orElse(null);
    times = RecordTime.of(config, Clock.systemUTC());
    columns = config.kafkaColumns().map(ColumnsOfKafka::new).orElse(null);
    withKeys = config.keyColumns().isPresent();
    runtime = TaskRuntime.start(config, new ConsumerOfTask(context), deadLetters);
    runtime.pipeline().callSoon();
  }

  @Override
  public void open(Collection<TopicPartition> partitions) {
    runtime().open(KafkaPartition.from(partitions));
  }

  @Override
  public void put(Collection<SinkRecord> records) {
    LandingPipeline pipeline = runtime().pipeline();
    TaskThread thread = runtime().taskThread();
    BatchIdHeader batchIdHeader = batchIds;
    RecordTime recordTime = Objects.requireNonNull(times);
    ColumnsOfKafka inFront = columns;
    thread.putBegins();
    recordTime.putBegins();
    try {
      for (SinkRecord record : records) {
        pipeline.accept(
            record.originalTopic(),
            record.originalKafkaPartition(),
            new IncomingRecord(
                record.originalKafkaOffset(),
                recordTime.of(record),
                idHeader(record, WireFormat.VALUE_HEADER),
                bytes(record, "value", record.value(), "value.converter", DECODED),
                batchIdHeader == null ? null : batchIdHeader.read(record),
                keepRecords ? new Delivered(record) : DeliveredRecord.NOT_KEPT,
                inFront == null ? null : inFront.bytes(record),
                withKeys ? key(record) : null));
      }
      pipeline.endOfPut();
    } catch (LandingException e) {
      throw new ConnectException(e.getMessage(), PrintableFailure.of(e));
    } finally {
      thread.putEnds();
    }
  }

  @Override
  public Map<TopicPartition, OffsetAndMetadata> preCommit(
      Map<TopicPartition, OffsetAndMetadata> currentOffsets) {
    LandingPipeline pipeline = runtime().pipeline();
    // Pausing a connector ends the current poll. So request a short timeout of the next poll.
    pipeline.callSoon();
    Map<io.tidemark.store.TopicPartition, Long> delivered = new HashMap<>();
    currentOffsets.forEach(
        (topicPartition, at) -> delivered.put(KafkaPartition.from(topicPartition), at.offset()));
    Map<TopicPartition, OffsetAndMetadata> committed = new HashMap<>();
    pipeline
        .tellGroup(delivered)
        .forEach(
            (topicPartition, told) ->
                committed.put(
                    KafkaPartition.of(topicPartition),
                    new OffsetAndMetadata(told.offset(), told.metadata())));
    return committed;
  }

  @Override
  public void close(Collection<TopicPartition> partitions) {
    if (runtime != null) {
      runtime.close(KafkaPartition.from(partitions));
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
    return TidemarkSinkConnector.VERSION;
  }

  private TaskRuntime runtime() {
    if (runtime == null) {
      throw new IllegalStateException("the task is not started");
    }
    return runtime;
  }

  /** Returns a record's last header of a name; null if there is none. */
  static @Nullable Header header(SinkRecord record, String name) {
    Headers headers = record.headers();
    return headers.isEmpty() ? null : headers.lastWithName(name);
  }

  /** Any producer can send a header of null or, unless the converter keeps bytes, of text. */
  private static byte @Nullable [] idHeader(SinkRecord record, String name) {
    Header header = header(record, name);
    if (header == null) {
      return null;
    }
    return header.value() instanceof byte[] bytes ? bytes : NO_ID;
  }

  static String place(SinkRecord record) {
    return "%s-%d@%d"
        .formatted(
            record.originalTopic(), record.originalKafkaPartition(), record.originalKafkaOffset());
  }

  private static @Nullable RecordKey key(SinkRecord record) {
    byte[] key = bytes(record, "key", record.key(), "key.converter", DECODED);
    return key == null ? null : new RecordKey(key, idHeader(record, WireFormat.KEY_HEADER));
  }

  /**
   * Returns a part of a record; {@code problem} is the message if a converter has decoded it, for
   * the place, the part, its class, and the setting of the converter.
   */
  static byte @Nullable [] bytes(
      SinkRecord record, String what, @Nullable Object content, String converter, String problem) {
    if (content == null) {
      return null;
    }
    if (content instanceof byte[] bytes) {
      return bytes;
    }
    throw new ConnectException(
        problem.formatted(
            place(record),
            what,
            content.getClass().getName(),
            converter + "=" + ConnectorConfig.BYTE_ARRAY_CONVERTER));
  }
}
