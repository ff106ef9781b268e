package io.tidemark.connect.kafka;

import io.tidemark.completeness.show.EventTopic;
import io.tidemark.registry.kafka.AvroSerializer;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.StringSerializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes events to their topic with the connector's own producer, which waits for all in-sync
 * replicas. It needs WRITE and DESCRIBE on the topic. Schemas are registered with the settings of
 * the schema registry. Not thread-safe, but any thread may close it.
 */
public final class KafkaEventTopic implements EventTopic {
  private static final Logger LOG = LoggerFactory.getLogger(KafkaEventTopic.class);

  private static final Duration CLOSE_TIMEOUT = Duration.ofMillis(500);

  private static final int DELIVERY_TIMEOUT_MS = 30_000;
  private static final int MAX_BLOCK_MS = 10_000;
  private static final long BUFFER_BYTES = 8L << 20;

  private final String topic;
  private final Supplier<Producer<String, Object>> producers;

  /** Empty before its first use, and after each failure: some end a producer permanently. */
  private volatile Optional<Producer<String, Object>> producer = Optional.empty();

  private volatile boolean closed;

  /** Creates its producer at its first use. {@code registry} are the schema registry's settings. */
  public static KafkaEventTopic of(
      String topic, Map<String, Object> properties, Map<String, String> registry) {
    Map<String, Object> ours = producerProperties(properties);
    return new KafkaEventTopic(
        topic,
        () -> {
          AvroSerializer values = new AvroSerializer();
          values.configure(registry, false);
          try {
            return new KafkaProducer<>(ours, new StringSerializer(), values);
          } catch (RuntimeException | Error e) {
            values.close();
            throw e;
          }
        });
  }

  KafkaEventTopic(String topic, Supplier<Producer<String, Object>> producers) {
    this.topic = topic;
    this.producers = producers;
  }

  /** Limits that the connector's own settings do not contain get defaults. */
  static Map<String, Object> producerProperties(Map<String, Object> properties) {
    Map<String, Object> ours = new HashMap<>(properties);
    ours.remove(ProducerConfig.TRANSACTIONAL_ID_CONFIG);
    ours.put(ProducerConfig.ACKS_CONFIG, "all");
    ours.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
    if (!ours.containsKey(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG)
        && !ours.containsKey(ProducerConfig.LINGER_MS_CONFIG)) {
      // Kafka rejects a delivery timeout below the request timeout.
      ours.putIfAbsent(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, DELIVERY_TIMEOUT_MS / 2);
      ours.put(ProducerConfig.LINGER_MS_CONFIG, 0);
      ours.put(
          ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG,
          Math.max(
              DELIVERY_TIMEOUT_MS,
              Integer.parseInt(
                  String.valueOf(ours.get(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG)))));
    }
    ours.putIfAbsent(ProducerConfig.MAX_BLOCK_MS_CONFIG, MAX_BLOCK_MS);
    ours.putIfAbsent(ProducerConfig.BUFFER_MEMORY_CONFIG, BUFFER_BYTES);
    return ours;
  }

  @Override
  public void send(List<Event> events) throws IOException {
    try {
      Producer<String, Object> sending = producer();
      List<Future<?>> sent = new ArrayList<>();
      for (Event event : events) {
        Future<?> one = sending.send(new ProducerRecord<>(topic, event.key(), event.value()));
        if (one.isDone()) {
          one.get(); // fail here: in an outage each further send would wait as long
        }
        sent.add(one);
      }
      sending.flush();
      for (Future<?> each : sent) {
        each.get();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw failed(e);
    } catch (ExecutionException e) {
      throw failed(e.getCause() == null ? e : e.getCause());
    } catch (KafkaException | IllegalStateException e) {
      throw failed(e);
    }
  }

  private Producer<String, Object> producer() throws IOException {
    Producer<String, Object> sending = producer.orElseGet(producers);
    producer = Optional.of(sending);
    if (closed) {
      close(Duration.ZERO);
      throw new IOException("the connector is stopping");
    }
    return sending;
  }

  private IOException failed(Throwable cause) {
    close(Duration.ZERO);
    String problem =
        "events could not be sent to the topic %s of completeness.events.topic: %s"
            .formatted(topic, cause.getMessage());
    return new IOException(
        OwnRight.writeTopic(topic).message(problem, cause) + " The events are sent again.", cause);
  }

  @Override
  public void close() {
    closed = true;
    close(CLOSE_TIMEOUT);
  }

  private void close(Duration timeout) {
    Optional<Producer<String, Object>> closing = producer;
    producer = Optional.empty();
    try {
      closing.ifPresent(each -> each.close(timeout));
    } catch (KafkaException e) {
      LOG.warn("{}: a producer of events did not close cleanly", topic, e);
    }
  }
}
