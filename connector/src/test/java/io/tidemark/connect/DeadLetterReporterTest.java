package io.tidemark.connect;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.connect.DeadLetterReporter.Delivered;
import io.tidemark.store.TopicPartition;
import io.tidemark.store.batch.RecordPlace;
import io.tidemark.store.batch.RejectedRecord;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.sink.SinkRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The headers of a dead letter, and the record with them, have at most the producer's limit. */
final class DeadLetterReporterTest {
  private static final int MAX_REQUEST_BYTES = 1_048_576;
  private static final RecordPlace PLACE = new RecordPlace(new TopicPartition("quotes", 3), 4711);

  private final List<Throwable> reported = new ArrayList<>();
  private boolean authorized = true;

  @ParameterizedTest
  @CsvSource({
    "a, 0, 7000",
    "a, 1030000, 7000",
    "a, 1040000, 2000",
    "a, 1046000, 60",
    "é, 0, 2300",
    "é, 1040000, 700"
  })
  void reasonIsCutUntilTheHeadersFit(String letter, int valueBytes, int leastChars) {
    Future<?> sent = send(valueBytes, letter.repeat(20_000));
    assertThat(sent.isDone()).as("sent").isFalse();
    assertThat(reported.get(reported.size() - 1).getMessage())
        .startsWith("quotes-3@4711: " + letter)
        .hasSizeGreaterThan(leastChars);
    assertThat(reported).allMatch(error -> headerBytes(error) <= 16_384);
  }

  @Test
  void reasonOfUsualLengthIsWhole() {
    assertThat(send(1_000_000, "cause. cure.")).isNotNull();
    assertThat(reported.get(0)).hasMessage("quotes-3@4711: cause. cure.");
  }

  @Test
  void recordThatDoesNotFitIsRefusedAlone() {
    assertThat(send(MAX_REQUEST_BYTES - 500, "cause. cure."))
        .failsWithin(Duration.ZERO)
        .withThrowableThat()
        .withCauseInstanceOf(RecordTooLargeException.class)
        .withMessageContaining("producer.override.max.request.size");
  }

  @Test
  void producerWithoutARightRefusesAllRecords() {
    authorized = false;
    assertThatThrownBy(() -> send(1_000, "cause. cure."))
        .isInstanceOf(ConnectException.class)
        .hasMessageContaining("no permission to WRITE");
    assertThat(reported).hasSize(2);
  }

  private CompletableFuture<?> send(int valueBytes, String reason) {
    DeadLetterReporter reporter =
        new DeadLetterReporter(
            (record, error) -> {
              reported.add(error);
              boolean fits = bytes(record) + headerBytes(error) <= MAX_REQUEST_BYTES;
              // Connect's future is done if the producer has refused the record.
              return fits && authorized
                  ? new CompletableFuture<>()
                  : CompletableFuture.completedFuture(null);
            },
            MAX_REQUEST_BYTES);
    return (CompletableFuture<?>)
        reporter.send(
            new RejectedRecord(
                PLACE,
                RejectedRecord.Kind.DAMAGED,
                reason,
                new Delivered(
                    new SinkRecord(
                        "quotes", 3, null, new byte[10], null, new byte[valueBytes], 4711)),
                0,
                Optional.empty()));
  }

  /** The most that Kafka's producer reckons for a record without headers in a batch. */
  private static int bytes(SinkRecord record) {
    return 61 + 21 + ((byte[]) record.key()).length + ((byte[]) record.value()).length;
  }

  /** The headers of Connect's {@code DeadLetterQueueReporter}. */
  private static int headerBytes(Throwable error) {
    Map<String, String> headers =
        Map.of(
            "topic", "quotes",
            "partition", "3",
            "offset", "4711",
            "connector.name", "landing-of-all-quotes",
            "task.id", "0",
            "stage", "TASK_PUT",
            "class.name", "org.apache.kafka.connect.sink.SinkTask",
            "exception.class.name", error.getClass().getName(),
            "exception.message", String.valueOf(error.getMessage()),
            "exception.stacktrace", error + "\n");
    return headers.entrySet().stream()
        .mapToInt(
            header ->
                ("__connect.errors." + header.getKey()).length()
                    + header.getValue().getBytes(UTF_8).length
                    + 10)
        .sum();
  }
}
