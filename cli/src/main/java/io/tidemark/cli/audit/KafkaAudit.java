package io.tidemark.cli.audit;

import io.tidemark.cli.audit.Finding.Kind;
import io.tidemark.cli.deployment.Deployment;
import io.tidemark.store.PrintableText;
import io.tidemark.store.TopicPartition;
import io.tidemark.store.commit.CommitEntry;
import io.tidemark.store.commit.CommitLog;
import io.tidemark.store.commit.LogState;
import io.tidemark.store.commit.TopicIdentity;
import io.tidemark.store.commit.TopicMetadata;
import io.tidemark.store.commit.TopicMetadata.RetainedOffsets;
import io.tidemark.store.log.CorruptLogException;
import io.tidemark.store.log.NumberedEntry;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/** Compares the next offsets of commit logs with the offsets that Kafka retains. */
final class KafkaAudit {
  private final Deployment deployment;
  private final TopicMetadata kafka;
  private final List<Finding> findings = new ArrayList<>();
  private final List<String> unchecked = new ArrayList<>();
  private long compared;

  KafkaAudit(Deployment deployment, TopicMetadata kafka) {
    this.deployment = deployment;
    this.kafka = kafka;
  }

  /**
   * The result of the comparison.
   *
   * @param topicPartitions the number of compared topic-partitions
   * @param unchecked the requests that Kafka did not answer
   */
  record Result(long topicPartitions, List<Finding> findings, List<String> unchecked) {
    Result {
      findings = List.copyOf(findings);
      unchecked = List.copyOf(unchecked);
    }
  }

  /** Compares all topic-partitions of configured topics; ends if Kafka does not answer. */
  Result run(List<String> topics) throws IOException, CorruptLogException {
    for (String topic : topics.stream().filter(deployment.services()::reads).toList()) {
      List<TopicPartition> all = Evidence.topicPartitions(deployment, topic);
      Optional<TopicIdentity> identity;
      try {
        identity = identity(topic);
        for (TopicPartition each : all) {
          if (identity.isPresent()) {
            compare(each, identity.get());
          }
        }
      } catch (KafkaAwayException e) {
        unchecked.add(
            "Kafka does not answer for %s: %s"
                .formatted(PrintableText.of(topic), PrintableText.of(e.getCause())));
        break;
      }
    }
    return new Result(compared, findings, unchecked);
  }

  /** A failure of Kafka, not of the store. */
  private static final class KafkaAwayException extends Exception {
    private static final long serialVersionUID = 1L;
    private final IOException failure;

    KafkaAwayException(IOException failure) {
      super(failure);
      this.failure = failure;
    }

    @Override
    public synchronized IOException getCause() {
      return failure;
    }
  }

  /** Returns the identity of a topic; empty if Kafka has no such topic. */
  private Optional<TopicIdentity> identity(String topic) throws KafkaAwayException {
    try {
      return Optional.of(kafka.identity(topic));
    } catch (IOException e) {
      for (Throwable cause = e; cause != null; cause = cause.getCause()) {
        if (cause instanceof UnknownTopicOrPartitionException) {
          if (deployment.topics().contains(topic)) {
            add(Kind.TOPIC, topic, "Kafka has no topic of this name");
          }
          return Optional.empty();
        }
      }
      throw new KafkaAwayException(e);
    }
  }

  private RetainedOffsets retained(TopicPartition topicPartition) throws KafkaAwayException {
    try {
      return kafka.retainedOffsets(topicPartition);
    } catch (IOException e) {
      throw new KafkaAwayException(e);
    }
  }

  private void compare(TopicPartition topicPartition, TopicIdentity identity)
      throws IOException, CorruptLogException, KafkaAwayException {
    CommitLog log =
        CommitLog.of(
            deployment.storage(), deployment.logsRoot(), deployment.logId(), topicPartition);
    // Read the log first: Kafka's end offset is never below offsets that landed before.
    Optional<NumberedEntry<CommitEntry>> last = log.last();
    if (last.isEmpty()) {
      return;
    }
    LogState state = last.get().entry().state();
    compared++;
    if (!state.generation().isOf(identity)) {
      add(
          Kind.TOPIC,
          topicPartition,
          "the log is of the topic with the id %s, and Kafka's topic has the id %s"
              .formatted(state.generation().topicId(), identity.topicId()));
      return;
    }
    if (state.next() == LogState.UNKNOWN) {
      return;
    }
    RetainedOffsets retained = retained(topicPartition);
    if (state.next() < retained.earliest()) {
      add(
          Kind.RETENTION,
          topicPartition,
          "the log's next offset is %d, and Kafka's first offset is %d: %d offsets are lost"
              .formatted(state.next(), retained.earliest(), retained.earliest() - state.next()));
    } else if (state.next() > retained.end()) {
      add(
          Kind.TRUNCATED,
          topicPartition,
          "the log's next offset is %d, and Kafka's end offset is %d"
              .formatted(state.next(), retained.end()));
    }
  }

  private void add(Kind kind, Object place, String problem) {
    findings.add(new Finding(kind, PrintableText.of(place.toString()), problem));
  }
}
