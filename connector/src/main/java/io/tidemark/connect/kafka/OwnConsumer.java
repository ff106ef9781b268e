package io.tidemark.connect.kafka;

import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** The properties of the connector's own consumers. They have no group and commit no offsets. */
final class OwnConsumer {
  private OwnConsumer() {}

  /** {@code more} are the properties of this consumer, besides Kafka's client properties. */
  static Map<String, Object> properties(Map<String, Object> properties, Map<String, Object> more) {
    Map<String, Object> ours = new HashMap<>(properties);
    ours.remove(ConsumerConfig.GROUP_ID_CONFIG);
    ours.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
    ours.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
    ours.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
    ours.put(ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
    ours.put(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
    ours.putAll(more);
    return Map.copyOf(ours);
  }
}
