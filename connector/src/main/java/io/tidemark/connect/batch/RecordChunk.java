package io.tidemark.connect.batch;

import java.util.Arrays;
import org.apache.kafka.common.TopicPartition;

/**
 * Some consecutive records of one topic-partition, as their value bytes: the unit of parallel work.
 * Filled by the task's thread and then handed to one worker; not safe for use by two threads at
 * once.
 *
 * <p>A value keeps the schema id in front of its datum; {@link #schemaId} has it already read.
 */
public final class RecordChunk {
  private final TopicPartition topicPartition;
  private long[] offsets;
  private long[] timestamps;
  private int[] schemaIds;
  private byte[][] values;
  private int size;
  private long bytes;

  public RecordChunk(TopicPartition topicPartition, int expectedRecords) {
    this.topicPartition = topicPartition;
    this.offsets = new long[expectedRecords];
    this.timestamps = new long[expectedRecords];
    this.schemaIds = new int[expectedRecords];
    this.values = new byte[expectedRecords][];
  }

  /**
   * Adds a record; {@code timestamp} is in milliseconds since the epoch, or -1 where Kafka has
   * none.
   */
  public void add(long offset, long timestamp, int schemaId, byte[] value) {
    if (size == offsets.length) {
      int capacity = Math.max(16, size * 2);
      offsets = Arrays.copyOf(offsets, capacity);
      timestamps = Arrays.copyOf(timestamps, capacity);
      schemaIds = Arrays.copyOf(schemaIds, capacity);
      values = Arrays.copyOf(values, capacity);
    }
    offsets[size] = offset;
    timestamps[size] = timestamp;
    schemaIds[size] = schemaId;
    values[size] = value;
    size++;
    bytes += value.length;
  }

  public TopicPartition topicPartition() {
    return topicPartition;
  }

  /** The number of records. */
  public int size() {
    return size;
  }

  /** The values' bytes together. */
  public long bytes() {
    return bytes;
  }

  public long offset(int index) {
    return offsets[index];
  }

  public long timestamp(int index) {
    return timestamps[index];
  }

  public int schemaId(int index) {
    return schemaIds[index];
  }

  public byte[] value(int index) {
    return values[index];
  }
}
