package io.tidemark.connect.it;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.connect.it.BadRecordsIT.BadRecord;
import io.tidemark.connect.it.landed.LogEntry;
import io.tidemark.connect.it.stack.ConnectorSettings;
import io.tidemark.connect.it.stack.Deployment;
import io.tidemark.connect.it.stack.OnRealStack;
import io.tidemark.connect.it.stack.Readings;
import io.tidemark.connect.it.stack.RealStack;
import io.tidemark.connect.it.stack.SourceTopic;
import io.tidemark.stack.ConnectWorker;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.junit.jupiter.api.Test;

@OnRealStack
final class DeadLettersIT {

  private static final String NAME = "dead-letters";
  private static final String QUEUE = "dead-letters-queue";
  private static final String BYTES = "org.apache.kafka.connect.converters.ByteArrayConverter";
  private static final String SECRET = "s3cr3t";

  @Test
  void badRecordsGoToTheQueueAsTheyCameAndTheOthersLand(RealStack stack) {
    SourceTopic topic = stack.topic(NAME, 2);
    topic.send(0, Readings.V1, 0, 500);
    Map<Long, ProducerRecord<byte[], byte[]>> sent = new HashMap<>();
    Map<Long, BadRecord> bad = new HashMap<>();
    for (BadRecord kind : BadRecord.values()) {
      int number = bad.size();
      topic.send(1, Readings.V1, 100L * number, 100L * number + 100);
      var produced =
          new ProducerRecord<byte[], byte[]>(
              NAME,
              1,
              Readings.START.toEpochMilli() + 1_000 + number,
              ("key of " + kind).getBytes(UTF_8),
              kind.value(stack.register(NAME, Readings.V1)));
      produced.headers().add("origin", new byte[] {0, (byte) 0xff, (byte) number});
      produced.headers().add("origin", "twice".getBytes(UTF_8));
      long offset = topic.sendRaw(produced);
      sent.put(offset, produced);
      bad.put(offset, kind);
    }
    topic.send(1, Readings.V1, 500, 600);
    Deployment connector =
        stack.deploy(
            ConnectorSettings.of(NAME, topic)
                .with("key.converter", BYTES)
                .with("errors.tolerance", "all")
                .with("errors.deadletterqueue.topic.name", QUEUE)
                .with("errors.deadletterqueue.topic.replication.factor", 1)
                .with("errors.deadletterqueue.context.headers.enable", "true")
                .with("behavior.on.null.values", "dead-letter")
                // The services do not require these credentials. None may be in a dead letter.
                .with("basic.auth.credentials.source", "USER_INFO")
                .with("basic.auth.user.info", "ann:" + SECRET)
                .with("request.header.X-Api-Key", SECRET)
                .with(
                    "kafka.sasl.jaas.config",
                    "org.apache.kafka.common.security.plain.PlainLoginModule required"
                        + " username=\"ann\" password=\""
                        + SECRET
                        + "\";"));
    connector.awaitLanded();

    connector.table(topic).assertHoldsExactly(topic.produced());
    entriesListTheDeadLetters(connector.log(topic).batches(1), bad.size());
    List<ConsumerRecord<byte[], byte[]>> letters = stack.readAll(QUEUE, bad.size());
    assertThat(letters)
        .extracting(letter -> Long.parseLong(context(letter, "offset")))
        .containsExactlyInAnyOrderElementsOf(bad.keySet());
    for (ConsumerRecord<byte[], byte[]> letter : letters) {
      long offset = Long.parseLong(context(letter, "offset"));
      isAsItCame(letter, sent.getOrDefault(offset, new ProducerRecord<>("none", null)));
      BadRecord kind = bad.getOrDefault(offset, BadRecord.CORRUPT);
      assertThat(context(letter, "topic")).isEqualTo(NAME);
      assertThat(context(letter, "partition")).isEqualTo("1");
      assertThat(context(letter, "exception.message"))
          .startsWith(NAME + "-1@" + offset + ": ")
          .contains(kind.problem, kind.cause);
      assertThat(texts(List.of(letter.headers().toArray()))).doesNotContain(SECRET);
    }
    List<String> logged = logged(stack);
    assertThat(logged).noneMatch(line -> line.contains(SECRET));
    assertThat(logged)
        .as("a batch, by a thread of the task's own, is marked as the task's")
        .anyMatch(line -> line.contains("[" + NAME + "|task-0] " + NAME + "-0 "));
  }

  @Test
  void letterThatTheProducerRefusesAtOnceIsNotTakenForSent(RealStack stack) {
    String name = "refused-letters";
    SourceTopic topic = stack.topic(name, 1);
    topic.send(Readings.V1, 0, 100);
    long bad = topic.sendRaw(0, BadRecord.CORRUPT.value(stack.register(name, Readings.V1)));
    topic.send(Readings.V1, 100, 200);
    ConnectorSettings settings =
        ConnectorSettings.of(name, topic)
            .with("key.converter", BYTES)
            .with("errors.tolerance", "all")
            .with("errors.deadletterqueue.topic.name", name + "-queue")
            .with("errors.deadletterqueue.topic.replication.factor", 1)
            .with("errors.deadletterqueue.context.headers.enable", "true");
    Deployment connector =
        stack.deploy(
            settings
                .with("producer.override.max.request.size", 10)
                .with("on.refusal", "stop-task"));

    assertThat(connector.awaitFailure())
        .contains(name + "-0@" + bad, "max.request.size", "WRITE", "restart the task");
    assertThat(connector.log(topic).next(0)).isLessThanOrEqualTo(bad);

    connector.configureStopped(settings);
    connector.awaitLanded();
    connector.table(topic).assertHoldsExactly(topic.produced());
    assertThat(stack.readAll(name + "-queue", 1))
        .extracting(letter -> Long.parseLong(context(letter, "offset")))
        .containsExactly(bad);
  }

  private static List<String> logged(RealStack stack) {
    return stack.services().connect().workers().stream()
        .map(ConnectWorker::process)
        .flatMap(worker -> worker.log().text().lines())
        .toList();
  }

  private static void entriesListTheDeadLetters(List<LogEntry> batches, int expected) {
    long listed = 0;
    for (LogEntry batch : batches) {
      String offsets = batch.json().path("notLanded").path("deadLettered").asText();
      listed += offsets.isEmpty() ? 0 : offsets.split(",", -1).length;
    }
    assertThat(listed).as("each stands alone between good ones").isEqualTo(expected);
    assertThat(batches.stream().mapToLong(LogEntry::notLanded).sum()).isEqualTo(expected);
  }

  private static void isAsItCame(
      ConsumerRecord<byte[], byte[]> letter, ProducerRecord<byte[], byte[]> sent) {
    assertThat(letter.key()).isEqualTo(sent.key());
    assertThat(letter.value()).isEqualTo(sent.value());
    assertThat(letter.timestamp()).isEqualTo(sent.timestamp());
    List<Header> own = new ArrayList<>();
    letter.headers().forEach(own::add);
    own.removeIf(header -> header.key().startsWith("__connect.errors."));
    assertThat(texts(own)).isEqualTo(texts(List.of(sent.headers().toArray())));
  }

  private static String texts(List<Header> headers) {
    return headers.stream()
        .map(header -> header.key() + "=" + new String(header.value(), ISO_8859_1))
        .collect(Collectors.joining(", "));
  }

  private static String context(ConsumerRecord<byte[], byte[]> letter, String name) {
    return new String(letter.headers().lastHeader("__connect.errors." + name).value(), UTF_8);
  }
}
