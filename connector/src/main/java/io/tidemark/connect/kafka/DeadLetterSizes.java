package io.tidemark.connect.kafka;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.DescribeConfigsOptions;
import org.apache.kafka.clients.admin.ListTopicsOptions;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;

/**
 * Compares the size of the topics' largest records with that of the largest dead letter. A dead
 * letter has the reason in its headers, so it is larger than its record.
 *
 * @param letters the dead letter topic
 * @param maxRequestBytes the producer's {@code max.request.size}
 */
public record DeadLetterSizes(String letters, long maxRequestBytes) {
  /** Kafka's default of {@code max.message.bytes}. Larger limits are what a user chose. */
  private static final long DEFAULT_BYTES = 1_048_588;

  /** The most bytes of a dead letter's headers: its reason is cut. */
  public static final long HEADER_BYTES = 16_384;

  /**
   * Returns why a dead letter may be too large. Topics are not compared if they do not exist, or if
   * the client has no permission to read their configuration (DESCRIBE_CONFIGS).
   *
   * @param read whether the connector reads a topic
   */
  public Optional<String> problem(Admin admin, Predicate<String> read, int timeoutMs) {
    ListTopicsOptions toList = new ListTopicsOptions().timeoutMs(timeoutMs);
    List<ConfigResource> compared =
        answer(admin.listTopics(toList).names(), timeoutMs).stream()
            .flatMap(Set::stream)
            .filter(topic -> read.test(topic) || topic.equals(letters))
            .map(topic -> new ConfigResource(ConfigResource.Type.TOPIC, topic))
            .toList();
    Map<String, Long> limits = new TreeMap<>();
    admin
        .describeConfigs(compared, new DescribeConfigsOptions().timeoutMs(timeoutMs))
        .values()
        .forEach(
            (topic, asked) ->
                answer(asked, timeoutMs)
                    .map(config -> config.get(TopicConfig.MAX_MESSAGE_BYTES_CONFIG))
                    .ifPresent(limit -> limits.put(topic.name(), Long.valueOf(limit.value()))));
    return problem(limits);
  }

  private static <T> Optional<T> answer(KafkaFuture<T> asked, int timeoutMs) {
    try {
      return Optional.of(
          RenewedAdmin.await(asked, "topics", OwnRight.describeTopic("*"), timeoutMs));
    } catch (IOException e) {
      return Optional.empty(); // Not compared.
    }
  }

  /** {@code limits} has {@code max.message.bytes} of each topic, and of the dead letter topic. */
  Optional<String> problem(Map<String, Long> limits) {
    long ofTopic = limits.getOrDefault(letters, Long.MAX_VALUE);
    long most = Math.min(ofTopic, Math.max(maxRequestBytes, DEFAULT_BYTES));
    return limits.entrySet().stream()
        .filter(topic -> !topic.getKey().equals(letters) && letterBytes(topic.getValue()) > most)
        .findFirst()
        .map(
            topic ->
                "max.message.bytes of %s is %d, and a dead letter has up to %d bytes more in its headers, but a dead letter may have %d bytes. Its topic would wait at its largest bad records. Raise %s."
                    .formatted(
                        topic.getKey(),
                        topic.getValue(),
                        HEADER_BYTES,
                        most,
                        most == ofTopic
                            ? "max.message.bytes of " + letters
                            : "producer.override.max.request.size"));
  }

  /** With all defaults the reason of a record of almost 1 MiB is cut, so headers do not count. */
  private static long letterBytes(long recordBytes) {
    return recordBytes > DEFAULT_BYTES ? recordBytes + HEADER_BYTES : recordBytes;
  }
}
