package io.tidemark.connect.kafka;

import io.tidemark.store.commit.KafkaRefusedException;
import io.tidemark.store.commit.KafkaUnavailableException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.jspecify.annotations.Nullable;

/**
 * A right in Kafka that the connector's own clients need. docs/OPERATIONS.md lists all of them.
 *
 * @param operation the operation, for messages. Example: {@code DESCRIBE}
 * @param resource the resource, for messages. Example: {@code the topic orders}
 */
record OwnRight(String operation, String resource) {

  static OwnRight describeTopic(String topic) {
    return new OwnRight("DESCRIBE", "the topic " + topic);
  }

  static OwnRight readTopic(String topic) {
    return new OwnRight("READ", "the topic " + topic);
  }

  static OwnRight writeTopic(String topic) {
    return new OwnRight("WRITE to", "the topic " + topic);
  }

  static OwnRight describeGroup(String group) {
    return new OwnRight("DESCRIBE", "the group " + group);
  }

  String cure() {
    return "Allow the principal of the kafka.* settings to %s %s.".formatted(operation, resource);
  }

  /** The exception's type depends on the cause: this right is missing, or Kafka did not respond. */
  KafkaUnavailableException failure(String problem, @Nullable Throwable cause) {
    return cause instanceof AuthorizationException
        ? new KafkaRefusedException(problem, cure(), cause)
        : new KafkaUnavailableException(problem, cause);
  }
}
