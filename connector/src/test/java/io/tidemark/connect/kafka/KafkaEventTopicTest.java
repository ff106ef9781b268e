package io.tidemark.connect.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.completeness.show.EventTopic.Event;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.generic.GenericRecordBuilder;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.Serializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The topic of events with Kafka's {@code MockProducer}. CompletenessIT sends to a real Kafka. */
@Timeout(300)
class KafkaEventTopicTest {
  private static final Schema SCHEMA =
      SchemaBuilder.record("Event").fields().requiredString("id").endRecord();

  private final List<MockProducer<String, Object>> made = new ArrayList<>();
  private final KafkaEventTopic topic = new KafkaEventTopic("events", this::producer);

  private static Serializer<Object> text() {
    return (name, value) -> String.valueOf(value).getBytes(UTF_8);
  }

  private Producer<String, Object> producer() {
    MockProducer<String, Object> producer =
        new MockProducer<>(true, null, new StringSerializer(), text());
    made.add(producer);
    return producer;
  }

  private static Event event(String id) {
    return new Event("default.orders", new GenericRecordBuilder(SCHEMA).set("id", id).build());
  }

  private MockProducer<String, Object> newest() {
    return made.get(made.size() - 1);
  }

  @Test
  void sendsEventsInOrderUnderTheirKeys() throws Exception {
    topic.send(List.of(event("1"), event("2")));
    topic.send(List.of(event("3")));

    assertThat(made).hasSize(1);
    assertThat(newest().history())
        .allSatisfy(
            record -> {
              assertThat(record.topic()).isEqualTo("events");
              assertThat(record.key()).isEqualTo("default.orders");
            })
        .extracting(record -> String.valueOf(record.value()))
        .containsExactly("{\"id\": \"1\"}", "{\"id\": \"2\"}", "{\"id\": \"3\"}");
    assertThat(newest().flushed()).isTrue();
  }

  @Test
  void failureOfOneEventFailsTheCallAndTheNextHasANewProducer() throws Exception {
    topic.send(List.of(event("1")));
    newest().sendException = new TimeoutException("no broker");

    assertThatThrownBy(() -> topic.send(List.of(event("2"))))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("events of completeness.events.topic")
        .hasMessageContaining("no broker")
        .hasMessageContaining("Check that the brokers run")
        .hasMessageEndingWith("The events are sent again.");
    assertThat(newest().closed()).isTrue();

    topic.send(List.of(event("2")));
    assertThat(made).hasSize(2);
  }

  @Test
  void missingRightIsNamed() throws Exception {
    topic.send(List.of(event("1")));
    newest().sendException = new TopicAuthorizationException("not authorized");

    assertThatThrownBy(() -> topic.send(List.of(event("2"))))
        .hasMessageContaining(
            "Allow the principal of the kafka.* settings to WRITE to the topic events.");
  }

  @Test
  void failureAfterSendingFailsTheCall() {
    KafkaEventTopic later =
        new KafkaEventTopic(
            "events",
            () -> {
              MockProducer<String, Object> producer =
                  new MockProducer<>(false, null, new StringSerializer(), text()) {
                    @Override
                    public synchronized void flush() {
                      errorNext(new TimeoutException("not acknowledged"));
                    }
                  };
              return producer;
            });

    assertThatThrownBy(() -> later.send(List.of(event("1"))))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("not acknowledged");
  }

  /** A producer that gets no metadata returns a failed future after 10 s. */
  @Test
  void eventThatWasRefusedAtOnceIsTheLastThatIsTried() {
    AtomicInteger tried = new AtomicInteger();
    KafkaEventTopic refusing =
        new KafkaEventTopic(
            "events",
            () ->
                new MockProducer<>(false, null, new StringSerializer(), text()) {
                  @Override
                  public synchronized Future<RecordMetadata> send(
                      ProducerRecord<String, Object> record) {
                    tried.incrementAndGet();
                    return CompletableFuture.failedFuture(new TimeoutException("no metadata"));
                  }
                });

    assertThatThrownBy(() -> refusing.send(List.of(event("1"), event("2"), event("3"))))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("no metadata");
    assertThat(tried).hasValue(1);
  }

  @Test
  void closedTopicTakesNothingMore() throws Exception {
    topic.send(List.of(event("1")));
    topic.close();

    assertThat(newest().closed()).isTrue();
    assertThatThrownBy(() -> topic.send(List.of(event("2"))))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("stopping");
    assertThat(made).allMatch(MockProducer::closed);
  }

  @Test
  void allWaitsAreBounded() {
    Map<String, Object> properties = KafkaEventTopic.producerProperties(Map.of());

    assertThat(properties)
        .containsEntry(ProducerConfig.ACKS_CONFIG, "all")
        .containsEntry(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true)
        .containsEntry(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, 30_000)
        .containsEntry(ProducerConfig.MAX_BLOCK_MS_CONFIG, 10_000)
        .containsEntry(ProducerConfig.BUFFER_MEMORY_CONFIG, 8L << 20);
  }

  @Test
  void kafkaTakesTheseSettingsWhateverTheConnectorsOwnAre() {
    for (Map<String, Object> own :
        List.<Map<String, Object>>of(
            Map.of(),
            Map.of("request.timeout.ms", "60000"),
            Map.of("delivery.timeout.ms", "200000"),
            Map.of("linger.ms", "100"),
            Map.of("transactional.id", "mine"),
            Map.of("enable.idempotence", "false", "acks", "1"))) {
      Map<String, Object> properties = new HashMap<>(KafkaEventTopic.producerProperties(own));
      properties.put("bootstrap.servers", "localhost:1");
      properties.put("key.serializer", ByteArraySerializer.class);
      properties.put("value.serializer", ByteArraySerializer.class);
      new KafkaProducer<byte[], byte[]>(properties).close(Duration.ZERO);
    }
  }
}
