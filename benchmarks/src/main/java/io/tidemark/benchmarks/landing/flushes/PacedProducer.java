package io.tidemark.benchmarks.landing.flushes;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.function.Supplier;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * A thread that writes records to topic-partitions in turn, at a fixed rate, until it is stopped.
 */
public final class PacedProducer {
  private static final long PAUSE_MS = 2;
  private static final int LINGER_MS = 5;

  private final Map<String, Object> client;
  private final List<TopicPartition> topicPartitions;
  private final Supplier<byte[]> values;
  private final int recordsPerSecond;
  private final SentTimes sent;
  private final FutureTask<Long> sending = new FutureTask<>(this::send);
  private boolean started;
  private volatile boolean stopped;

  /**
   * Does not write yet.
   *
   * @param client the settings by which the client reaches Kafka
   * @param topicPartitions empty ones
   * @param values returns the next value; used by one thread
   * @param sent notes the time of each record
   */
  public PacedProducer(
      Map<String, ?> client,
      List<TopicPartition> topicPartitions,
      Supplier<byte[]> values,
      int recordsPerSecond,
      SentTimes sent) {
    this.client = new HashMap<>(client);
    this.client.put(ProducerConfig.LINGER_MS_CONFIG, LINGER_MS);
    this.client.put(ProducerConfig.BATCH_SIZE_CONFIG, 256 * 1024);
    this.topicPartitions = List.copyOf(topicPartitions);
    this.values = values;
    this.recordsPerSecond = recordsPerSecond;
    this.sent = sent;
  }

  public void start() {
    var thread = new Thread(sending, "paced-producer");
    thread.setDaemon(true);
    thread.start();
    started = true;
  }

  /**
   * Throws the failure of the thread, if it has failed.
   *
   * @throws ExecutionException with the cause
   */
  public void check() throws InterruptedException, ExecutionException {
    if (sending.isDone()) {
      sending.get();
    }
  }

  /** Ends the thread; returns the number of records, all acknowledged. */
  public long stop() throws InterruptedException, ExecutionException {
    stopped = true;
    return started ? sending.get() : 0;
  }

  private Long send() throws InterruptedException, ExecutionException {
    long count = 0;
    try (var producer =
        new KafkaProducer<>(client, new ByteArraySerializer(), new ByteArraySerializer())) {
      long start = System.nanoTime();
      Future<RecordMetadata> last = null;
      while (!stopped) {
        long due = (long) ((System.nanoTime() - start) / 1e9 * recordsPerSecond);
        for (; count < due && !stopped; count++) {
          int at = (int) (count % topicPartitions.size());
          TopicPartition to = topicPartitions.get(at);
          sent.add(at, System.nanoTime());
          last =
              producer.send(new ProducerRecord<>(to.topic(), to.partition(), null, values.get()));
        }
        if (last != null && last.isDone()) {
          last.get();
        }
        Thread.sleep(PAUSE_MS);
      }
      producer.flush();
      if (last != null) {
        last.get();
      }
    }
    return count;
  }
}
