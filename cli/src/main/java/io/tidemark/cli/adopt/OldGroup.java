package io.tidemark.cli.adopt;

import io.tidemark.cli.deployment.CommandFailure;
import io.tidemark.cli.deployment.ExitCode;
import io.tidemark.store.PrintableText;
import io.tidemark.store.TopicPartition;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.UnaryOperator;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.errors.GroupIdNotFoundException;

/** Kafka's view of an old sink: its consumer group, and the offsets of its topics. */
public interface OldGroup extends AutoCloseable {

  /** Returns the members of a consumer group; empty if there is no such group. */
  List<String> members(String group) throws CommandFailure, InterruptedException;

  /**
   * Returns the offsets of a group, and Kafka's of those topics that are wanted.
   *
   * @param wanted chooses of Kafka's topics
   */
  KafkaOffsets offsets(String group, UnaryOperator<Set<String>> wanted)
      throws CommandFailure, InterruptedException;

  @Override
  void close();

  /** Returns Kafka's own answers. */
  static OldGroup of(Map<String, Object> client) {
    return new InKafka(Admin.create(client));
  }

  /** Asks a cluster. */
  record InKafka(Admin admin) implements OldGroup {
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(5);
    private static final long TIMEOUT_SECONDS = 60;

    @Override
    public List<String> members(String group) throws CommandFailure, InterruptedException {
      try {
        return answer(
                "describe the consumer group " + group,
                admin.describeConsumerGroups(List.of(group)).all())
            .values()
            .stream()
            .flatMap(found -> found.members().stream())
            .map(each -> each.consumerId() + " on " + each.host())
            .toList();
      } catch (CommandFailure e) {
        if (e.getCause() instanceof GroupIdNotFoundException) {
          return List.of();
        }
        throw e;
      }
    }

    @Override
    public KafkaOffsets offsets(String group, UnaryOperator<Set<String>> wanted)
        throws CommandFailure, InterruptedException {
      Set<String> existing = answer("list the topics", admin.listTopics().names());
      Set<String> topics = new TreeSet<>(wanted.apply(existing));
      topics.retainAll(existing);
      Map<org.apache.kafka.common.TopicPartition, OffsetSpec> first = new HashMap<>();
      Map<org.apache.kafka.common.TopicPartition, OffsetSpec> last = new HashMap<>();
      answer("describe the topics", admin.describeTopics(topics).allTopicNames())
          .forEach(
              (topic, description) ->
                  description
                      .partitions()
                      .forEach(
                          each -> {
                            var at =
                                new org.apache.kafka.common.TopicPartition(topic, each.partition());
                            first.put(at, OffsetSpec.earliest());
                            last.put(at, OffsetSpec.latest());
                          }));
      Map<TopicPartition, Long> beginning = new HashMap<>();
      answer("list the first offsets", admin.listOffsets(first).all())
          .forEach((at, offset) -> beginning.put(of(at), offset.offset()));
      Map<TopicPartition, Long> end = new HashMap<>();
      answer("list the end offsets", admin.listOffsets(last).all())
          .forEach((at, offset) -> end.put(of(at), offset.offset()));
      return new KafkaOffsets(committed(group, topics), beginning, end);
    }

    private Map<TopicPartition, Long> committed(String group, Collection<String> topics)
        throws CommandFailure, InterruptedException {
      Map<TopicPartition, Long> committed = new HashMap<>();
      try {
        answer(
                "list the offsets of the consumer group " + group,
                admin.listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata())
            .forEach(
                (at, offset) -> {
                  if (offset != null && topics.contains(at.topic())) {
                    committed.put(of(at), offset.offset());
                  }
                });
      } catch (CommandFailure e) {
        if (!(e.getCause() instanceof GroupIdNotFoundException)) {
          throw e;
        }
      }
      return committed;
    }

    private static TopicPartition of(org.apache.kafka.common.TopicPartition at) {
      return new TopicPartition(at.topic(), at.partition());
    }

    private static <T> T answer(String what, KafkaFuture<T> future)
        throws CommandFailure, InterruptedException {
      try {
        return future.get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
      } catch (ExecutionException e) {
        Throwable cause = e.getCause() == null ? e : e.getCause();
        throw new CommandFailure(
            ExitCode.UNKNOWN,
            "Kafka does not %s: %s. Check kafka.* of the new configuration, and the rights DESCRIBE of its principal on the topics and the group."
                .formatted(what, PrintableText.of(cause)),
            cause);
      } catch (TimeoutException e) {
        throw new CommandFailure(
            ExitCode.UNKNOWN,
            "Kafka did not %s within %d s. Check kafka.bootstrap.servers of the new configuration, and the brokers."
                .formatted(what, TIMEOUT_SECONDS),
            e);
      }
    }

    @Override
    public void close() {
      admin.close(CLOSE_TIMEOUT);
    }
  }
}
