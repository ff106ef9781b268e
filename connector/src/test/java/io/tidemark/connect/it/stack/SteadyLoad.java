package io.tidemark.connect.it.stack;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.avro.Schema;

/**
 * Readings that are sent to all topic-partitions of a topic at a steady rate, from {@link #begin}
 * to {@link #end}. Meanwhile a thread of the load uses the topic. Begun and ended by one thread.
 */
public final class SteadyLoad {

  private static final int READINGS_A_TURN = 50;
  private static final long PAUSE_MS = 250;

  private final SourceTopic topic;
  private final Map<Integer, Schema> otherSchemas = new ConcurrentHashMap<>();
  private final AtomicInteger burst = new AtomicInteger();
  private volatile boolean wanted;
  private long next;
  private CompletableFuture<Void> sending = CompletableFuture.completedFuture(null);

  public SteadyLoad(SourceTopic topic) {
    this.topic = topic;
  }

  public void begin() {
    wanted = true;
    sending = CompletableFuture.runAsync(this::send, turns -> new Thread(turns, "load").start());
  }

  /** From the next turn on the readings of a topic-partition are written with another schema. */
  public void writeWith(int topicPartition, Schema schema) {
    otherSchemas.put(topicPartition, schema);
  }

  /** The next turn has this number of additional readings for each topic-partition. */
  public void burst(int readings) {
    burst.set(readings);
  }

  /** Returns when Kafka has all sent readings, which are at least those of one turn. */
  public void end() {
    wanted = false;
    sending.join();
  }

  private void send() {
    do {
      int readings = READINGS_A_TURN + burst.getAndSet(0);
      for (int topicPartition = 0; topicPartition < topic.topicPartitions(); topicPartition++) {
        Schema schema = otherSchemas.getOrDefault(topicPartition, Readings.V1);
        topic.send(topicPartition, schema, next, next + readings);
      }
      next += readings;
      pause();
    } while (wanted);
  }

  private static void pause() {
    try {
      Thread.sleep(PAUSE_MS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }
}
