package io.tidemark.connect;

import io.tidemark.connect.config.ConnectorConfig;
import io.tidemark.connect.intake.DeadLetterQueue;
import io.tidemark.connect.kafka.DeadLetterSizes;
import io.tidemark.connect.staging.RejectedRecordException;
import io.tidemark.store.PrintableText;
import io.tidemark.store.batch.DeliveredRecord;
import io.tidemark.store.batch.RejectedRecord;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.header.Header;
import org.apache.kafka.connect.sink.ErrantRecordReporter;
import org.apache.kafka.connect.sink.SinkRecord;
import org.apache.kafka.connect.sink.SinkTaskContext;

/**
 * The worker's dead letter queue. Connect sends the record as it was in Kafka, before converters
 * and transforms. Connect adds the reason as headers if {@code
 * errors.deadletterqueue.context.headers.enable=true}.
 *
 * @param maxBytes the producer's {@code max.request.size}, unless the worker has another default
 */
record DeadLetterReporter(ErrantRecordReporter reporter, long maxBytes) implements DeadLetterQueue {
  // The headers without the reason: their names, the place in three of them, and Kafka's overhead.
  private static final int WITHOUT_REASON_BYTES = 2_048;

  private static final String REFUSED =
      "Connect's producer has refused it before it was sent. The user of producer.override.*, or the worker's, has no permission to WRITE to the dead letter topic, or Kafka did not answer, or the record is larger than max.request.size. The worker's log has the reason in the line \"Could not produce message to dead letter queue\". Grant the right, or raise producer.override.max.request.size; then restart the task.";

  record Delivered(SinkRecord record) implements DeliveredRecord {
    // Connect's record, the consumer's record in it, and their headers, without the bytes.
    private static final int RECORD_BYTES = 400;
    private static final int HEADER_BYTES = 200;

    @Override
    public int keptBytes() {
      int bytes = RECORD_BYTES + length(record.key());
      for (Header header : record.headers()) {
        bytes += HEADER_BYTES + length(header.key()) + length(header.value());
      }
      return bytes;
    }

    private static int length(Object part) {
      if (part instanceof byte[] bytes) {
        return bytes.length;
      }
      // The StringConverter and Connect's default header converter return strings.
      return part instanceof String text ? 2 * text.length() : 0;
    }
  }

  /** Empty unless the connector tolerates errors and names a dead letter topic. */
  static Optional<DeadLetterQueue> of(SinkTaskContext context, ConnectorConfig config) {
    ErrantRecordReporter reporter = context.errantRecordReporter();
    return reporter != null && config.hasDeadLetterTopic()
        ? Optional.of(new DeadLetterReporter(reporter, config.deadLetterMaxBytes()))
        : Optional.empty();
  }

  /**
   * Sends a dead letter, and sends it again if Connect's future is already done when the call
   * returns. Connect ignores results of the producer that exist at that time, so it reports success
   * even if the producer refused the record. A real acknowledgement almost always takes longer. The
   * second time, the reason of a large record is cut. If the producer refuses that too, the future
   * of a large record fails, and another record throws a {@link ConnectException}.
   */
  @Override
  public Future<?> send(RejectedRecord rejected) {
    if (!(rejected.delivered() instanceof Delivered delivered)) {
      throw new IllegalStateException(rejected.place() + ": the delivered record was not kept");
    }
    long most = DeadLetterSizes.HEADER_BYTES - WITHOUT_REASON_BYTES;
    long free = maxBytes - delivered.keptBytes() - Delivered.length(delivered.record().value());
    for (long bytes : new long[] {most, Math.min(most, free - WITHOUT_REASON_BYTES)}) {
      Future<?> sent =
          reporter.report(
              delivered.record(),
              new RejectedRecordException(rejected.place(), cut(rejected.reason(), bytes)));
      if (!(sent instanceof CompletableFuture<?> && sent.isDone())) {
        return sent;
      }
    }
    if (free < WITHOUT_REASON_BYTES) {
      return CompletableFuture.failedFuture(new RecordTooLargeException(REFUSED));
    }
    throw new ConnectException(REFUSED);
  }

  /** Cuts a text that is in two headers; a character may have two bytes more than one of ASCII. */
  private static String cut(String reason, long bytes) {
    long more = 2 * reason.chars().filter(each -> each >= 0x80).count();
    return PrintableText.of(reason, (int) Math.max(0, Math.max(bytes / 6, bytes / 2 - more)));
  }
}
