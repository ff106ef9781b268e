package io.tidemark.demo;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Sends quotes as a producer with a schema registry does: a byte 0, the schema's id in four bytes,
 * and the Avro datum.
 */
final class QuoteProducer {

  private static final int UNACKNOWLEDGED_RECORDS = 50_000;

  private final String topic;
  private final int topicPartitions;
  private final int schemaId;
  private final Map<String, Object> client;

  QuoteProducer(String bootstrapServers, String topic, int topicPartitions, int schemaId) {
    this.topic = topic;
    this.topicPartitions = topicPartitions;
    this.schemaId = schemaId;
    client =
        Map.of(
            ProducerConfig.BOOTSTRAP_SERVERS_CONFIG,
            bootstrapServers,
            ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG,
            true,
            ProducerConfig.COMPRESSION_TYPE_CONFIG,
            "lz4",
            ProducerConfig.LINGER_MS_CONFIG,
            50,
            ProducerConfig.BATCH_SIZE_CONFIG,
            256 * 1024,
            ProducerConfig.BUFFER_MEMORY_CONFIG,
            64L * 1024 * 1024);
  }

  /** Sends the whole feed and returns, once Kafka has acknowledged it, what was sent. */
  Tally send(QuoteFeed feed, long records, Screen screen)
      throws IOException, ExecutionException, InterruptedException {
    Tally tally = new Tally();
    Deque<Future<RecordMetadata>> unacknowledged = new ArrayDeque<>();
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(1_024);
    BinaryEncoder encoder = EncoderFactory.get().binaryEncoder(bytes, null);
    byte[] schemaHeader = ByteBuffer.allocate(5).put((byte) 0).putInt(schemaId).array();
    long start = System.nanoTime();
    long sentBytes = 0;
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(client, new ByteArraySerializer(), new ByteArraySerializer())) {
      while (feed.hasNext()) {
        StockQuote quote = feed.next();
        bytes.reset();
        bytes.writeBytes(schemaHeader);
        quote.writeTo(encoder);
        encoder.flush();
        int topicPartition = (int) (tally.records() % topicPartitions);
        unacknowledged.add(
            producer.send(new ProducerRecord<>(topic, topicPartition, null, bytes.toByteArray())));
        if (unacknowledged.size() > UNACKNOWLEDGED_RECORDS) {
          unacknowledged.remove().get();
        }
        tally.add(quote);
        sentBytes += bytes.size();
        screen.progress(
            tally.records(),
            records,
            "%,d records, %,d/s".formatted(tally.records(), rate(tally.records(), start)));
      }
      while (!unacknowledged.isEmpty()) {
        unacknowledged.remove().get();
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
