package io.tidemark.benchmarks.sinks;

import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.avro.Schema;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.errors.RetriableException;
import org.apache.kafka.connect.sink.SinkRecord;
import org.apache.kafka.connect.sink.SinkTask;
import org.jspecify.annotations.Nullable;

/**
 * Copies the bytes of the records into Avro files, one for each topic-partition and flush.
 *
 * <p>The task removes the schema id in front of each value without reading it. It checks no datum,
 * keeps no log, and renames and registers nothing: it does only what every sink that writes such
 * files must do. Other threads than the task's compress and write the blocks, so a flush does not
 * delay the records that follow.
 */
public final class RawCopySinkTask extends SinkTask {
  private static final String URL = "store.url";
  private static final String DIRECTORY = "directory";
  private static final String SCHEMA = "schema";
  private static final String CODEC = "avro.codec";
  private static final String BLOCK_SIZE = "avro.block.size.bytes";
  private static final String FLUSH = "batch.records";
  private static final String INTERVAL = "batch.interval.ms";
  private static final String THREADS = "staging.threads";
  private static final String WRITERS = "storage.threads";

  /** The limit of reserved space: a data node reserves a whole HDFS block for each open file. */
  private static final long OPEN_BYTES = 8L << 30;

  private static final long MOST_HDFS_BLOCK_BYTES = 128L << 20;
  private static final long LEAST_HDFS_BLOCK_BYTES = 4L << 20;

  /** The byte 0 and the schema id. */
  private static final int HEADER_BYTES = 5;

  private final Map<TopicPartition, RawCopyFile> open = new HashMap<>();
  private final List<CompletableFuture<Void>> closing = new ArrayList<>();

  /** The offset after the last closed file. */
  private final Map<TopicPartition, Long> closed = new ConcurrentHashMap<>();

  private long flushRecords;
  private long intervalNanos;
  private long sinceFlush;
  private long lastFlushNanos;
  private String directory = "";
  private @Nullable FileSystem store;
  private @Nullable BlockWorkers workers;

  static ConfigDef configDef() {
    int threads = Math.min(4, Runtime.getRuntime().availableProcessors());
    Importance high = Importance.HIGH;
    return new ConfigDef()
        .define(URL, ConfigDef.Type.STRING, high, "Where files are written.")
        .define(
            DIRECTORY, ConfigDef.Type.STRING, high, "The directory below which they are written.")
        .define(
            SCHEMA,
            ConfigDef.Type.STRING,
            high,
            "The schema of the records, for the files' headers.")
        .define(CODEC, ConfigDef.Type.STRING, "snappy", high, "The codec of the files.")
        .define(BLOCK_SIZE, ConfigDef.Type.INT, 65_536, high, "The size of a block.")
        .define(
            FLUSH,
            ConfigDef.Type.LONG,
            1_000_000L,
            high,
            "Records after which all files are closed.")
        .define(
            INTERVAL,
            ConfigDef.Type.LONG,
            10_000L,
            high,
            "Milliseconds after which all files are closed.")
        .define(THREADS, ConfigDef.Type.INT, threads, high, "Threads that compress.")
        .define(WRITERS, ConfigDef.Type.INT, 8, high, "Threads that write and close files.");
  }

  @Override
  public void start(Map<String, String> settings) {
    var config = new AbstractConfig(configDef(), settings);
    flushRecords = config.getLong(FLUSH);
    intervalNanos = 1_000_000 * config.getLong(INTERVAL);
    lastFlushNanos = System.nanoTime();
    directory = config.getString(DIRECTORY);
    workers =
        new BlockWorkers(
            new Schema.Parser().parse(config.getString(SCHEMA)),
            config.getString(CODEC),
            config.getInt(BLOCK_SIZE),
            config.getInt(THREADS),
            config.getInt(WRITERS));
    var hadoop = new Configuration();
    // As Tidemark: a close checks again after 5 ms whether the last block has arrived, not after
    // 400.
    hadoop.set("dfs.client.block.write.locateFollowingBlock.initial.delay.ms", "5");
    hadoop.set("dfs.client.block.write.locateFollowingBlock.retries", "12");
    try {
      store = FileSystem.newInstance(URI.create(config.getString(URL)), hadoop);
    } catch (IOException e) {
      throw new ConnectException(config.getString(URL) + " cannot be reached", e);
    }
  }

  @Override
  public void put(Collection<SinkRecord> delivered) {
    for (SinkRecord record : delivered) {
      byte[] value = (byte[]) record.value();
      var topicPartition = new TopicPartition(record.topic(), record.kafkaPartition());
      RawCopyFile file = open.get(topicPartition);
      if (file == null) {
        file = create(topicPartition, record.kafkaOffset());
        open.put(topicPartition, file);
      }
      file.append(value, HEADER_BYTES, value.length - HEADER_BYTES, record.kafkaOffset());
      if (++sinceFlush == flushRecords) {
        flush();
      }
    }
  }

  private RawCopyFile create(TopicPartition topicPartition, long offset) {
    if (store == null || workers == null) {
      throw new IllegalStateException("the task has not been started");
    }
    var path =
        new Path(
            "%s/%s-%d-%s.avro".formatted(directory, topicPartition, offset, UUID.randomUUID()));
    try {
      return new RawCopyFile(
          store.create(path, false, 4_096, store.getDefaultReplication(path), hdfsBlockBytes()),
          workers);
    } catch (IOException e) {
      throw new RetriableException(path + " cannot be created", e);
    }
  }

  /**
   * Returns the block size of HDFS. With the default, the files of a thousand topic-partitions
   * would need 125 GiB of disk and be refused.
   */
  private long hdfsBlockBytes() {
    long share = OPEN_BYTES / Math.max(1, context.assignment().size());
    long bytes = Math.max(LEAST_HDFS_BLOCK_BYTES, Math.min(MOST_HDFS_BLOCK_BYTES, share));
    return bytes / (1 << 20) * (1 << 20);
  }

  /** Ends all files; their offsets may be committed when the files are closed. */
  private void flush() {
    sinceFlush = 0;
    lastFlushNanos = System.nanoTime();
    closing.removeIf(
        close -> {
          if (close.isDone()) {
            close.join();
          }
          return close.isDone();
        });
    open.forEach(
        (topicPartition, file) -> {
          long next = file.nextOffset();
          closing.add(file.close().thenRun(() -> closed.merge(topicPartition, next, Math::max)));
        });
    open.clear();
  }

  @Override
  public Map<TopicPartition, OffsetAndMetadata> preCommit(
      Map<TopicPartition, OffsetAndMetadata> current) {
    if (System.nanoTime() - lastFlushNanos > intervalNanos) {
      flush();
    }
    var offsets = new HashMap<TopicPartition, OffsetAndMetadata>();
    closed.forEach(
        (topicPartition, next) -> offsets.put(topicPartition, new OffsetAndMetadata(next)));
    return offsets;
  }

  @Override
  public void stop() {
    if (workers != null) {
      workers.close();
    }
    try {
      if (store != null) {
        store.close();
      }
    } catch (IOException e) {
      throw new ConnectException("the store cannot be closed", e);
    }
  }

  @Override
  public String version() {
    return "benchmark";
  }
}
