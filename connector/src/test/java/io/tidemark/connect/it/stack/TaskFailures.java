package io.tidemark.connect.it.stack;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Map;
import java.util.Queue;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;

/**
 * The failures of one task, one after another, as its worker reports them to Connect's status
 * topic. The REST API shows only the last status, which does not show whether the task was started
 * since. Used by one thread.
 */
public final class TaskFailures implements AutoCloseable {

  private static final String STATUS_TOPIC = "connect-status";
  private static final Duration POLL = Duration.ofMillis(500);
  private static final ObjectMapper JSON = new ObjectMapper();

  private final String key;
  private final Consumer<String, byte[]> consumer;
  private final Queue<String> traces = new ArrayDeque<>();

  /** The failures from now on. */
  TaskFailures(String bootstrapServers, String connector, int task) {
    key = "status-task-" + connector + "-" + task;
    consumer =
        new KafkaConsumer<>(
            Map.of(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers),
            new StringDeserializer(),
            new ByteArrayDeserializer());
    Collection<TopicPartition> all =
        consumer.partitionsFor(STATUS_TOPIC).stream()
            .map(info -> new TopicPartition(STATUS_TOPIC, info.partition()))
            .toList();
    consumer.assign(all);
    consumer.seekToEnd(all);
    all.forEach(consumer::position);
  }

  /** Waits for the next failure and returns its trace. */
  public String next() {
    long end = System.nanoTime() + RealStack.DEADLINE.toNanos();
    while (traces.isEmpty()) {
      if (System.nanoTime() > end) {
        throw new AssertionError(key + " has not failed in " + RealStack.DEADLINE);
      }
      consumer.poll(POLL).forEach(this::take);
    }
    return traces.remove();
  }

  private void take(ConsumerRecord<String, byte[]> status) {
    if (!status.key().equals(key) || status.value() == null) {
      return;
    }
    try {
      JsonNode said = JSON.readTree(status.value());
      if (said.path("state").asText().equals("FAILED")) {
        traces.add(said.path("trace").asText());
      }
    } catch (IOException e) {
      String text = new String(status.value(), StandardCharsets.UTF_8);
      throw new UncheckedIOException(key + " has a status that is no JSON: " + text, e);
    }
  }

  @Override
  public void close() {
    consumer.close();
  }
}
