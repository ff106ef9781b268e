package io.tidemark.demo;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemark.registry.kafka.AvroSerializer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.avro.generic.GenericRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Sends the orders of an hour with their lines and payments. The last payments of one
 * topic-partition are in a transaction that is open until {@link #commit}, as with a slow payment
 * provider. Used by one thread.
 */
final class SalesProducer implements AutoCloseable {
  static final int TOPIC_PARTITIONS = 3;

  /** The topic on which producers announce the number of records of a batch. */
  static final String ANNOUNCEMENTS = "batches";

  /** The id of the batch of the day's orders, which this producer counts. */
  static final String BATCH = "orders-2026-11-20";

  private static final String BATCH_HEADER = "tidemark.batch";

  /** The number of the topic-partition with the open transaction. */
  static final int OPEN_TOPIC_PARTITION = 2;

  private static final int TRANSACTION_TIMEOUT_MS = 600_000;

  private final Map<String, String> kafka;
  private final KafkaProducer<byte[], GenericRecord> producer;
  private final KafkaProducer<byte[], GenericRecord> provider;
  private final List<Future<RecordMetadata>> unacknowledged = new ArrayList<>();

  /**
   * Creates producers that are not connected yet.
   *
   * @param kafka the addresses of the brokers, and settings of a login
   * @param registry the serializer's settings
   */
  SalesProducer(Map<String, String> kafka, Map<String, String> registry) {
    this.kafka = Map.copyOf(kafka);
    Map<String, Object> settings = new HashMap<>(registry);
    settings.putAll(kafka);
    settings.putAll(
        Map.of(
            ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG,
            true,
            ProducerConfig.COMPRESSION_TYPE_CONFIG,
            "lz4",
            ProducerConfig.LINGER_MS_CONFIG,
            50,
            ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG,
            ByteArraySerializer.class,
            ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG,
            AvroSerializer.class));
    producer = new KafkaProducer<>(settings);
    settings.put(ProducerConfig.TRANSACTIONAL_ID_CONFIG, "payment-provider");
    settings.put(ProducerConfig.TRANSACTION_TIMEOUT_CONFIG, TRANSACTION_TIMEOUT_MS);
    provider = new KafkaProducer<>(settings);
  }

  /** Sends a sale, with its payment in the open transaction if {@code inTransaction}. */
  void send(Sale sale, boolean inTransaction) throws ExecutionException, InterruptedException {
    int topicPartition = (int) (sale.orderId() % TOPIC_PARTITIONS);
    ProducerRecord<byte[], GenericRecord> order =
        record(SalesTopic.ORDERS, topicPartition, SalesTopic.ORDERS.of(sale));
    order.headers().add(BATCH_HEADER, BATCH.getBytes(UTF_8));
    unacknowledged.add(producer.send(order));
    for (int line = 0; line < sale.lineCents().size(); line++) {
      send(producer, SalesTopic.ORDER_LINES, topicPartition, SalesTopic.line(sale, line));
    }
    send(
        inTransaction ? provider : producer,
        SalesTopic.PAYMENTS,
        topicPartition,
        SalesTopic.PAYMENTS.of(sale));
    if (unacknowledged.size() > 100_000) {
      await();
    }
  }

  private void send(
      KafkaProducer<byte[], GenericRecord> to,
      SalesTopic topic,
      int topicPartition,
      GenericRecord record) {
    unacknowledged.add(to.send(record(topic, topicPartition, record)));
  }

  private static ProducerRecord<byte[], GenericRecord> record(
      SalesTopic topic, int topicPartition, GenericRecord record) {
    return new ProducerRecord<>(topic.topic(), topicPartition, null, record);
  }

  /**
   * Announces the number of orders of the day's batch, after Kafka has acknowledged all of them.
   */
  void announce(long orders) throws ExecutionException, InterruptedException {
    String announcement =
        "{\"version\":1,\"batch\":\"%s\",\"records\":{\"%s\":%d}}"
            .formatted(BATCH, SalesTopic.ORDERS.topic(), orders);
    try (KafkaProducer<byte[], byte[]> announcing =
        new KafkaProducer<>(
            Map.<String, Object>copyOf(kafka),
            new ByteArraySerializer(),
            new ByteArraySerializer())) {
      announcing
          .send(
              new ProducerRecord<>(
                  ANNOUNCEMENTS, BATCH.getBytes(UTF_8), announcement.getBytes(UTF_8)))
          .get();
    }
  }

  /** Opens the transaction. */
  void begin() {
    provider.initTransactions();
    provider.beginTransaction();
  }

  /** Waits until Kafka has acknowledged all records. */
  void await() throws ExecutionException, InterruptedException {
    producer.flush();
    provider.flush();
    for (Future<RecordMetadata> each : unacknowledged) {
      each.get();
    }
    unacknowledged.clear();
  }

  /** Commits the transaction. */
  void commit() {
    provider.commitTransaction();
  }

  @Override
  public void close() {
    try {
      provider.close();
    } finally {
      producer.close();
    }
  }
}
