package io.tidemark.connect.kafka;

import io.tidemark.connect.health.KnownFailure;
import io.tidemark.connect.health.Refusal;
import io.tidemark.connect.health.Service;
import io.tidemark.store.commit.KafkaRefusedException;
import io.tidemark.store.commit.KafkaUnavailableException;
import java.util.Optional;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.ClusterAuthorizationException;

/** A right in Kafka that the connector's clients need; docs/OPERATIONS.md lists all of them. */
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

  /** The exception's type depends on the cause: this right is missing, or another problem. */
  KafkaUnavailableException failure(String problem, Throwable cause) {
    return isMissing(cause)
        ? new KafkaRefusedException(problem, cure(), cause)
        : new KafkaUnavailableException(message(problem, cause), cause);
  }

  /** Returns the problem with its cause and cure, which is this right if it is missing. */
  String message(String problem, Throwable cause) {
    KnownFailure known =
        isMissing(cause)
            ? new KnownFailure(Optional.of(Refusal.ACCESS), cure())
            : KnownFailure.of(Service.KAFKA, cause);
    return known.after(problem);
  }

  private static boolean isMissing(Throwable cause) {
    return cause instanceof AuthorizationException
        && !(cause instanceof ClusterAuthorizationException);
  }
}
