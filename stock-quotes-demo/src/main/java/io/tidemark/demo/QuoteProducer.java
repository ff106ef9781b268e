package io.tidemark.demo;

import io.tidemark.registry.kafka.AvroSerializer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Sends quotes like any producer with a schema registry: Tidemark's serializer registers the schema
 * with the first record, and writes the schema id before each Avro datum.
 */
final class QuoteProducer {

  private static final int UNACKNOWLEDGED_RECORDS = 50_000;

  /** Progress is shown only after so many records, because its text takes longer than a record. */
  private static final int RECORDS_BETWEEN_PROGRESS = 1_000;

  private final String topic;
  private final int topicPartitions;
  private final Schema schema;
  private final Map<String, Object> client;

  /**
   * Creates a producer that is not connected yet.
   *
   * @param kafka the addresses of the brokers, and settings of a login
   * @param registry the serializer's settings
   */
  QuoteProducer(
      Map<String, String> kafka,
      Map<String, String> registry,
      String topic,
      int topicPartitions,
      Schema schema) {
    this.topic = topic;
    this.topicPartitions = topicPartitions;
    this.schema = schema;
    client = new HashMap<>(registry);
    client.putAll(kafka);
    client.putAll(
        Map.of(
            ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG,
            true,
            ProducerConfig.COMPRESSION_TYPE_CONFIG,
            "lz4",
            ProducerConfig.LINGER_MS_CONFIG,
            50,
            ProducerConfig.BATCH_SIZE_CONFIG,
            256 * 1024,
            ProducerConfig.BUFFER_MEMORY_CONFIG,
            64L * 1024 * 1024,
            ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG,
            ByteArraySerializer.class,
            ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG,
            AvroSerializer.class));
  }

  /**
   * Sends the whole feed, waits until Kafka has acknowledged it, and returns the expected results.
   */
  Tally send(QuoteFeed feed, long records, Screen screen)
      throws ExecutionException, InterruptedException {
    Tally tally = new Tally();
    Deque<Future<RecordMetadata>> unacknowledged = new ArrayDeque<>();
    long start = System.nanoTime();
    long sentBytes = 0;
    try (KafkaProducer<byte[], GenericRecord> producer = new KafkaProducer<>(client)) {
      while (feed.hasNext()) {
        StockQuote quote = feed.next();
        int topicPartition = (int) (tally.records() % topicPartitions);
        unacknowledged.add(
            producer.send(
                new ProducerRecord<>(topic, topicPartition, null, quote.toRecord(schema))));
        if (unacknowledged.size() > UNACKNOWLEDGED_RECORDS) {
          sentBytes += unacknowledged.remove().get().serializedValueSize();
        }
        tally.add(quote);
        if (tally.records() % RECORDS_BETWEEN_PROGRESS == 0) {
          screen.progress(
              tally.records(),
              records,
              "%,d records, %,d/s".formatted(tally.records(), rate(tally.records(), start)));
        }
      }
      while (!unacknowledged.isEmpty()) {
        sentBytes += unacknowledged.remove().get().serializedValueSize();
      }
    }
    screen.line(
        "%,d records, %,d MB before compression, %,d records/s",
        tally.records(), sentBytes / 1_000_000, rate(tally.records(), start));
    return tally;
  }

  private static long rate(long records, long startNanos) {
    return records * 1_000_000_000L / Math.max(1, System.nanoTime() - startNanos);
  }
}
