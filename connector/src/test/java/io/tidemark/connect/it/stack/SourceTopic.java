package io.tidemark.connect.it.stack;

import io.tidemark.connect.it.landed.RowKey;
import io.tidemark.registry.kafka.AvroSerializer;
import io.tidemark.stack.Polling;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericRecord;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.jspecify.annotations.Nullable;

/**
 * A topic of the tests, with a list of the records that were produced to it. Used by one thread at
 * a time.
 */
public final class SourceTopic {

  private final TestCluster cluster;
  private final NewTopic described;
  private final String name;
  private long[] ends;
  private final List<RowKey> produced = new ArrayList<>();
  private @Nullable AvroSerializer serializer;

  /** Creates the topic with this number of topic-partitions. */
  SourceTopic(TestCluster cluster, NewTopic described, int topicPartitions) {
    this.cluster = cluster;
    this.described = described;
    this.name = described.name();
    this.ends = new long[topicPartitions];
    create(described);
  }

  public String name() {
    return name;
  }

  public int topicPartitions() {
    return ends.length;
  }

  /**
   * From now on registry-client's serializer with these settings writes the readings, instead of
   * Confluent's format.
   */
  public SourceTopic writtenBy(Map<String, String> settings) {
    AvroSerializer configured = new AvroSerializer();
    configured.configure(settings, false);
    serializer = configured;
    return this;
  }

  /** Registers a schema before any reading of it is produced. */
  public void register(Schema schema) {
    value(new RecordHeaders(), Readings.reading(schema, new RowKey(0, 0)));
  }

  /** The keys of all readings that were ever produced, in every life of the topic. */
  public List<RowKey> produced() {
    return List.copyOf(produced);
  }

  /** The end offset of a topic-partition. */
  public long end(int topicPartition) {
    return ends[topicPartition];
  }

  /**
   * Produces the readings with the numbers from {@code from} to {@code to} in all topic-partitions.
   */
  public void send(Schema schema, long from, long to) {
    for (int source = 0; source < ends.length; source++) {
      send(source, schema, from, to);
    }
  }

  /** Produces the readings with the numbers from {@code from} up to, not including, {@code to}. */
  public void send(int source, Schema schema, long from, long to) {
    sendAlternating(source, List.of(schema), from, to);
  }

  /** Produces readings with each of the schemas in turn. */
  public void sendAlternating(int source, List<Schema> schemas, long from, long to) {
    Acknowledgements acknowledgements = new Acknowledgements(cluster.producer());
    for (long seq = from; seq < to; seq++) {
      int turn = (int) (seq % schemas.size());
      RowKey key = new RowKey(source, seq);
      Headers headers = new RecordHeaders();
      byte[] value = value(headers, Readings.reading(schemas.get(turn), key));
      acknowledgements.send(source, Readings.taken(seq).toEpochMilli(), headers, value);
      produced.add(key);
    }
    acknowledgements.await();
  }

  private byte @Nullable [] value(Headers headers, GenericRecord row) {
    return serializer == null
        ? Readings.framed(cluster.register(name, row.getSchema()), row)
        : serializer.serialize(name, headers, row);
  }

  /** Produces one record as it is, null for a tombstone, and returns its offset. */
  public long sendRaw(int source, byte @Nullable [] value) {
    long offset = end(source);
    Acknowledgements acknowledgements = new Acknowledgements(cluster.producer());
    acknowledgements.send(source, Readings.START.toEpochMilli(), new RecordHeaders(), value);
    acknowledgements.await();
    return offset;
  }

  /** Produces one record as it is, with its key, headers and timestamp, and returns its offset. */
  public long sendRaw(ProducerRecord<byte[], byte[]> record) {
    long offset = end(record.partition());
    Acknowledgements acknowledgements = new Acknowledgements(cluster.producer());
    acknowledgements.send(record);
    acknowledgements.await();
    return offset;
  }

  /**
   * Produces readings to all topic-partitions in one transaction. Its marker takes an offset of
   * each.
   *
   * @param commit false to abort the transaction: the readings stay in Kafka, but do not count
   */
  public void sendInTransaction(Schema schema, long from, long to, boolean commit) {
    sendInTransaction(schema, from, to, commit, () -> {});
  }

  /**
   * Does the same as {@link #sendInTransaction(Schema, long, long, boolean)}.
   *
   * @param whileOpen runs when Kafka has the readings, before the transaction ends
   */
  public void sendInTransaction(
      Schema schema, long from, long to, boolean commit, Runnable whileOpen) {
    try (Producer<byte[], byte[]> transactional = cluster.transactionalProducer(name)) {
      transactional.initTransactions();
      transactional.beginTransaction();
      Acknowledgements acknowledgements = new Acknowledgements(transactional);
      for (int source = 0; source < ends.length; source++) {
        for (long seq = from; seq < to; seq++) {
          RowKey key = new RowKey(source, seq);
          Headers headers = new RecordHeaders();
          byte[] value = value(headers, Readings.reading(schema, key));
          acknowledgements.send(source, Readings.taken(seq).toEpochMilli(), headers, value);
          if (commit) {
            produced.add(key);
          }
        }
      }
      acknowledgements.await();
      whileOpen.run();
      if (commit) {
        transactional.commitTransaction();
      } else {
        transactional.abortTransaction();
      }
      for (int source = 0; source < ends.length; source++) {
        ends[source]++;
      }
    }
    awaitMarkers();
  }

  /** The coordinator answers the producer when it has decided, before it writes the markers. */
  private void awaitMarkers() {
    Map<TopicPartition, OffsetSpec> asked = latest();
    Polling.until(
        "the markers of a transaction are in " + name,
        RealStack.DEADLINE,
        () -> {
          Map<TopicPartition, ListOffsetsResultInfo> found =
              RealStack.joined(
                  cluster
                      .admin()
                      .listOffsets(asked, new ListOffsetsOptions(IsolationLevel.READ_COMMITTED))
                      .all(),
                  "asking for the ends of " + name);
          return found.entrySet().stream()
              .filter(each -> each.getValue().offset() < ends[each.getKey().partition()])
              .map(each -> "%s ends at %d".formatted(each.getKey(), each.getValue().offset()))
              .findFirst();
        });
  }

  private Map<TopicPartition, OffsetSpec> latest() {
    Map<TopicPartition, OffsetSpec> asked = new HashMap<>();
    for (int each = 0; each < topicPartitions(); each++) {
      asked.put(new TopicPartition(name, each), OffsetSpec.latest());
    }
    return asked;
  }

  /** Adds topic-partitions. */
  public void growTo(int topicPartitions) {
    RealStack.joined(
        cluster
            .admin()
            .createPartitions(Map.of(name, NewPartitions.increaseTo(topicPartitions)))
            .all(),
        "adding topic-partitions to " + name);
    ends = Arrays.copyOf(ends, topicPartitions);
  }

  /** Deletes the records below an offset from Kafka, as its retention does. */
  public void forgetBefore(int topicPartition, long offset) {
    RealStack.joined(
        cluster
            .admin()
            .deleteRecords(
                Map.of(
                    new TopicPartition(name, topicPartition), RecordsToDelete.beforeOffset(offset)))
            .all(),
        "deleting records of " + name);
  }

  /**
   * Records that Kafka has lost the records from an offset on, and that the next ones get their
   * offsets.
   */
  public void truncatedTo(int topicPartition, long offset) {
    ends[topicPartition] = offset;
  }

  /** Deletes the topic and recreates it under its name. */
  public void makeAgain() {
    RealStack.joined(cluster.admin().deleteTopics(Set.of(name)).all(), "deleting " + name);
    Polling.until(
        name + " is gone",
        RealStack.DEADLINE,
        () ->
            RealStack.joined(cluster.admin().listTopics().names(), "listing topics").contains(name)
                ? Optional.of("it is still there")
                : Optional.empty());
    Arrays.fill(ends, 0);
    create(
        described.replicasAssignments() == null
            ? new NewTopic(name, topicPartitions(), described.replicationFactor())
            : described);
  }

  private void create(NewTopic topic) {
    RealStack.joined(cluster.admin().createTopics(Set.of(topic)).all(), "creating " + name);
    // Answered once each topic-partition has a leader that knows the topic. A producer may not
    // recover if its first batch is refused: its later ones are out of sequence.
    Map<TopicPartition, OffsetSpec> asked = latest();
    Polling.until(
        "all topic-partitions of %s have leaders".formatted(name),
        RealStack.DEADLINE,
        () -> {
          try {
            RealStack.joined(cluster.admin().listOffsets(asked).all(), "asking for them");
            return Optional.empty();
          } catch (IllegalStateException e) { // Some broker does not know the topic yet.
            return Optional.of(String.valueOf(e.getCause()));
          }
        });
  }

  /** The sends that are not acknowledged yet. */
  private final class Acknowledgements {
    private final Producer<byte[], byte[]> producer;
    private final List<Future<RecordMetadata>> sent = new ArrayList<>();

    Acknowledgements(Producer<byte[], byte[]> producer) {
      this.producer = producer;
    }

    void send(int source, long timestamp, Headers headers, byte @Nullable [] value) {
      send(new ProducerRecord<>(name, source, timestamp, null, value, headers));
    }

    void send(ProducerRecord<byte[], byte[]> record) {
      sent.add(producer.send(record));
      ends[record.partition()]++;
    }

    void await() {
      producer.flush();
      for (Future<RecordMetadata> acknowledgement : sent) {
        try {
          acknowledgement.get();
        } catch (ExecutionException e) {
          throw new IllegalStateException("Kafka did not take a record of " + name, e);
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          throw new IllegalStateException("producing to " + name + ": interrupted", e);
        }
      }
    }
  }
}
