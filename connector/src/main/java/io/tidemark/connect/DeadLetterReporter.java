package io.tidemark.connect;

import io.tidemark.connect.batch.DeliveredRecord;
import io.tidemark.connect.batch.RejectedRecord;
import io.tidemark.connect.config.DeadLetterSettings;
import io.tidemark.connect.pipeline.deadletter.DeadLetterQueue;
import io.tidemark.connect.staging.RejectedRecordException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.header.Header;
import org.apache.kafka.connect.sink.ErrantRecordReporter;
import org.apache.kafka.connect.sink.SinkRecord;
import org.apache.kafka.connect.sink.SinkTaskContext;

/**
 * The worker's dead letter queue. The framework sends the record that Kafka had, before converters
 * and transforms, and puts the reason into its headers where {@code
 * errors.deadletterqueue.context.headers.enable=true}.
 */
record DeadLetterReporter(ErrantRecordReporter reporter) implements DeadLetterQueue {
  private static final int TRIES = 2;

  /** A record as the framework delivered it. */
  record Delivered(SinkRecord record) implements DeliveredRecord {
    // The framework's record, the consumer's below it, and their headers, without their bytes.
    private static final int RECORD_BYTES = 400;
    private static final int HEADER_BYTES = 200;

    @Override
    public int keptBytes() {
      int bytes = RECORD_BYTES + length(record.key());
      for (Header header : record.headers()) {
        bytes += HEADER_BYTES + length(header.value());
      }
      return bytes;
    }

    private static int length(Object part) {
      if (part instanceof byte[] bytes) {
        return bytes.length;
      }
      // As the StringConverter and Connect's default for headers make them.
      return part instanceof String text ? 2 * text.length() : 0;
    }
  }

  /** The queue of a task, if its connector has one: errors are tolerated, and a topic is named. */
  static Optional<DeadLetterQueue> of(SinkTaskContext context, Map<String, String> properties) {
    ErrantRecordReporter reporter = context.errantRecordReporter();
    return reporter != null && DeadLetterSettings.isConfigured(properties)
        ? Optional.of(new DeadLetterReporter(reporter))
        : Optional.empty();
  }

  /**
   * Sends a letter, once more where the framework has answered at once. It leaves out producers'
   * answers that are there when it returns, and says that all went well: so it does of records that
   * the producer refused. A true answer from Kafka takes longer than that, but for rare moments.
   *
   * @throws ConnectException the producer has refused it twice
   */
  @Override
  public Future<?> send(RejectedRecord rejected) {
    if (!(rejected.delivered() instanceof Delivered delivered)) {
      throw new IllegalStateException(rejected.place() + ": the record was not kept");
    }
    for (int tries = 0; tries < TRIES; tries++) {
      Future<?> sent = reporter.report(delivered.record(), new RejectedRecordException(rejected));
      if (!(sent instanceof CompletableFuture<?> && sent.isDone())) {
        return sent;
      }
    }
    throw new ConnectException(
        "Connect's producer has refused it before it was sent. The user of producer.override.*, or the worker's, may not "
            + "WRITE to the dead letter topic, Kafka did not answer, or the record is larger than max.request.size: the "
            + "worker's log has the reason, in the line \"Could not produce message to dead letter queue\". Grant the "
            + "right, or raise producer.override.max.request.size; then restart the task.");
  }
}
