package io.tidemark.benchmarks.sinks;

import java.io.IOException;
import java.net.URI;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
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
import org.apache.kafka.connect.sink.SinkRecord;
import org.apache.kafka.connect.sink.SinkTask;
import org.jspecify.annotations.Nullable;

/**
 * Copies the bytes of the records into Avro files: one for each topic-partition and flush, or as
 * many as another sink makes.
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
  private static final String FLUSH_ONE = "topic-partition.records";
  private static final String FLUSH_IDLE = "flush.when.idle";
  private static final String IN_TURN = "files.in.turn";
  private static final String OFFSETS = "file.offsets";
  private static final String THREADS = "staging.threads";
  private static final String WRITERS = "storage.threads";

  /** The limit of reserved space: a data node reserves a whole HDFS block for each open file. */
  private static final long OPEN_BYTES = 8L << 30;

  private static final long MOST_HDFS_BLOCK_BYTES = 128L << 20;
  private static final long LEAST_HDFS_BLOCK_BYTES = 4L << 20;

  /** The byte 0 and the schema id. */
  private static final int HEADER_BYTES = 5;

  private final Map<TopicPartition, TopicPartitionFiles> files = new HashMap<>();

  /** Complete when all files of earlier flushes are closed. */
  private final Map<TopicPartition, CompletableFuture<Void>> closing = new HashMap<>();

  /** The offset after the last closed file. */
  private final Map<TopicPartition, Long> closed = new ConcurrentHashMap<>();

  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
  private TopicPartitionFiles.Spread spread = new TopicPartitionFiles.Spread(1, 0);
  private long flushRecords;
  private long flushOneRecords;
  private long intervalNanos;
  private boolean flushesWhenIdle;
  private boolean idle;
  private long sinceFlush;
  private long lastFlushNanos;
  private int assigned = 1;
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
        .define(
            FLUSH_ONE,
            ConfigDef.Type.LONG,
            Long.MAX_VALUE,
            high,
            "Records of a topic-partition after which its files are closed.")
        .define(
            FLUSH_IDLE,
            ConfigDef.Type.BOOLEAN,
            false,
            high,
            "Whether all files are closed when no record arrives from one commit to the next.")
        .define(
            IN_TURN,
            ConfigDef.Type.INT,
            1,
            high,
            "Files of a topic-partition to which consecutive records go in turn.")
        .define(
            OFFSETS,
            ConfigDef.Type.LONG,
            0L,
            high,
            "Consecutive offsets in a file, half as many in the first one; 0: no limit.")
        .define(THREADS, ConfigDef.Type.INT, threads, high, "Threads that compress.")
        .define(WRITERS, ConfigDef.Type.INT, 8, high, "Threads that write and close files.");
  }

  @Override
  public void start(Map<String, String> settings) {
    var config = new AbstractConfig(configDef(), settings);
    flushRecords = config.getLong(FLUSH);
    flushOneRecords = config.getLong(FLUSH_ONE);
    flushesWhenIdle = config.getBoolean(FLUSH_IDLE);
    spread = new TopicPartitionFiles.Spread(config.getInt(IN_TURN), config.getLong(OFFSETS));
    intervalNanos = TimeUnit.MILLISECONDS.toNanos(config.getLong(INTERVAL));
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
  public void open(Collection<TopicPartition> topicPartitions) {
    assigned = topicPartitions.size();
  }

  @Override
  public void put(Collection<SinkRecord> delivered) {
    Throwable failed = failure.get();
    if (failed != null) {
      throw new ConnectException("a file in " + directory + " cannot be written", failed);
    }
    for (SinkRecord record : delivered) {
      byte[] value = (byte[]) record.value();
      var topicPartition = new TopicPartition(record.topic(), record.kafkaPartition());
      TopicPartitionFiles target = files.get(topicPartition);
      if (target == null) {
        target = new TopicPartitionFiles(spread, offset -> create(topicPartition, offset));
        files.put(topicPartition, target);
      }
      long records = target.append(value, HEADER_BYTES, record.kafkaOffset());
      if (records == flushOneRecords) {
        flush(topicPartition, target);
      }
      if (++sinceFlush == flushRecords) {
        flushAll();
      }
    }
    idle &= delivered.isEmpty();
  }

  private RawCopyFile create(TopicPartition topicPartition, long offset) {
    if (store == null || workers == null) {
      throw new IllegalStateException("the task has not been started");
    }
    FileSystem created = store;
    var path =
        new Path(
            "%s/%s-%d-%s.avro".formatted(directory, topicPartition, offset, UUID.randomUUID()));
    return new RawCopyFile(
        () ->
            created.create(
                path, false, 4_096, created.getDefaultReplication(path), hdfsBlockBytes()),
        workers);
  }

  /**
   * Returns the block size of HDFS. With the default, the files of a thousand topic-partitions
   * would need 125 GiB of disk and be refused.
   */
  private long hdfsBlockBytes() {
    long share = OPEN_BYTES / Math.max(1, (long) assigned * spread.inTurn());
    long bytes = Math.max(LEAST_HDFS_BLOCK_BYTES, Math.min(MOST_HDFS_BLOCK_BYTES, share));
    return bytes / (1 << 20) * (1 << 20);
  }

  private void flushAll() {
    sinceFlush = 0;
    lastFlushNanos = System.nanoTime();
    files.forEach(this::flush);
  }

  /** Ends the files of a topic-partition; their offsets may be committed when they are closed. */
  private void flush(TopicPartition topicPartition, TopicPartitionFiles target) {
    if (target.isEmpty()) {
      return;
    }
    long next = target.nextOffset();
    CompletableFuture<Void> before =
        closing.getOrDefault(topicPartition, CompletableFuture.completedFuture(null));
    closing.put(
        topicPartition,
        CompletableFuture.allOf(before, target.flush())
            .whenComplete(
                (done, failed) -> {
                  if (failed == null) {
                    closed.put(topicPartition, next);
                  } else {
                    failure.set(failed);
                  }
                }));
  }

  @Override
  public Map<TopicPartition, OffsetAndMetadata> preCommit(
      Map<TopicPartition, OffsetAndMetadata> current) {
    if (System.nanoTime() - lastFlushNanos > intervalNanos || (flushesWhenIdle && idle)) {
      flushAll();
    }
    idle = true;
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
