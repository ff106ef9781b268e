package io.tidemark.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.cli.audit.AuditServices;
import io.tidemark.cli.deployment.ConnectorServices;
import io.tidemark.completeness.ledger.Completion;
import io.tidemark.completeness.ledger.HivePartitionTotal;
import io.tidemark.completeness.ledger.Manifest;
import io.tidemark.completeness.ledger.Position;
import io.tidemark.completeness.show.SuccessFiles;
import io.tidemark.store.LocalStorage;
import io.tidemark.store.StoragePath;
import io.tidemark.store.TopicPartition;
import io.tidemark.store.batch.BatchIdCounts;
import io.tidemark.store.batch.NotLanded;
import io.tidemark.store.batch.OffsetRange;
import io.tidemark.store.batch.RecordCounts;
import io.tidemark.store.commit.Claimant;
import io.tidemark.store.commit.CommitEntry;
import io.tidemark.store.commit.CommitLog;
import io.tidemark.store.commit.LogState;
import io.tidemark.store.commit.TopicIdentity;
import io.tidemark.store.commit.TopicMetadata;
import io.tidemark.store.log.AppendOutcome;
import io.tidemark.store.partition.HivePartition;
import io.tidemark.store.table.CatalogConflictException;
import io.tidemark.store.table.DataFile;
import io.tidemark.store.table.ReadOnlyCatalog;
import io.tidemark.store.table.StagingDirectories;
import io.tidemark.store.table.TableDefinition;
import io.tidemark.store.table.TableLayout;
import io.tidemark.store.table.TableName;
import io.tidemark.store.table.TableRoot;
import io.tidemark.store.table.UnseenPartition;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.file.DataFileWriter;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/** A topic-partition that has landed in real files, with its commit log, Kafka and catalog. */
final class LandedOrders implements AuditServices {
  static final TableName TABLE = TableName.parse("default.orders");
  static final TopicIdentity TOPIC = new TopicIdentity("cluster", "t");
  static final int RECORDS = 1_000;
  private static final Schema SCHEMA =
      SchemaBuilder.record("Order")
          .fields()
          .name("at")
          .type()
          .unionOf()
          .nullType()
          .and()
          .longType()
          .endUnion()
          .noDefault()
          .requiredString("text")
          .endRecord();

  final TableLayout layout = new TableLayout(new StoragePath("/topics/orders"));

  /** The records that Kafka retains; {@code earliest} is Kafka's first offset. */
  long earliest;

  long end = Long.MAX_VALUE;
  boolean kafkaAway;
  boolean deleted;
  String topicId = TOPIC.topicId();

  /** The Hive partitions that Hive has, and that queries do not see. */
  final List<HivePartition> unseen = new ArrayList<>();

  /** The Hive partitions that Hive takes for others, which it has. */
  final Map<HivePartition, HivePartition> equated = new HashMap<>();

  /** Whether the table is in Hive. */
  boolean inHive = true;

  private final Path directory;
  private final DeployedConnector connector;
  private final int topicPartition;
  private final LocalStorage storage;
  private final CommitLog log;
  private LogState state = LogState.initial(TOPIC);
  private Optional<UUID> before = Optional.empty();
  private UUID claim = UUID.randomUUID();
  private long claimNumber = 1;
  private long number;

  LandedOrders(Path directory, DeployedConnector connector) throws Exception {
    this(directory, connector, 0);
  }

  LandedOrders(Path directory, DeployedConnector connector, int topicPartition) throws Exception {
    this.directory = directory;
    this.connector = connector;
    this.topicPartition = topicPartition;
    this.storage = new LocalStorage(directory);
    this.log =
        CommitLog.of(
            storage,
            new StoragePath("/logs"),
            "sales",
            new TopicPartition("orders", topicPartition));
    log.create();
    append(
        new CommitEntry.Claim(claim, before, state, Instant.now(), new Claimant("sales", 0, "w1")));
    connector.config.put("partitioner.class", "TimeBasedPartitioner");
    connector.config.put("path.format", "'dt'=yyyy-MM-dd/'hour'=HH");
    connector.config.put("partition.duration.ms", "3600000");
    connector.config.put("locale", "en-US");
    connector.config.put("timezone", "UTC");
    connector.config.put("timestamp.extractor", "RecordField");
    connector.config.put("timestamp.field", "at");
  }

  /** A task claims the topic-partition. */
  void claim() throws Exception {
    claim = UUID.randomUUID();
    claimNumber = number + 1;
    append(
        new CommitEntry.Claim(claim, before, state, Instant.now(), new Claimant("sales", 0, "w1")));
  }

  private void append(CommitEntry entry) throws Exception {
    assertThat(log.append(++number, entry)).isInstanceOf(AppendOutcome.Appended.class);
    before = Optional.of(entry.identity());
    state = entry.state();
  }

  static HivePartition hivePartition(Instant hour) {
    String text = hour.toString();
    return HivePartition.parse("dt=" + text.substring(0, 10) + "/hour=" + text.substring(11, 13));
  }

  /**
   * Commits and publishes a batch with one file of an hour.
   *
   * @return the file
   */
  Path land(Instant hour) throws Exception {
    return land(hour, true);
  }

  /** Commits a batch with one file of an hour. */
  Path land(Instant hour, boolean published) throws Exception {
    return land(hour, published, hivePartition(hour));
  }

  /** Commits a batch with one file of an hour in any Hive partition. */
  Path land(Instant hour, boolean published, HivePartition place) throws Exception {
    UUID attempt = UUID.randomUUID();
    long first = Math.max(0, state.next());
    StoragePath path =
        layout
            .partitionDirectory(place)
            .child(
                "orders+%d+g1+%010d+%010d.avro"
                    .formatted(topicPartition, first, first + RECORDS - 1));
    StoragePath staged =
        new StagingDirectories(storage, "sales", new TopicPartition("orders", topicPartition))
            .ofClaim(claimNumber, claim)
            .in(layout)
            .child(attempt + "-1.avro");
    Path file = local(published ? path : staged);
    write(file, Optional.of(attempt), hour, RECORDS);
    OffsetRange range = new OffsetRange(first, first + RECORDS);
    RecordCounts counts = new RecordCounts(RECORDS, 0, 0, 0, 0);
    append(
        new CommitEntry.Batch(
            attempt,
            before,
            state.after(range, counts).withProgress(published ? number + 1 : number, number),
            Instant.now(),
            claim,
            range,
            counts,
            NotLanded.NOTHING,
            List.of(new TableRoot(TABLE, layout.root())),
            List.of(
                new DataFile(
                    TABLE,
                    staged,
                    path,
                    place,
                    RECORDS,
                    Files.size(file),
                    "null",
                    1,
                    List.of("1"),
                    first,
                    first + RECORDS - 1,
                    hour.toEpochMilli(),
                    hour.toEpochMilli() + RECORDS - 1)),
            BatchIdCounts.NONE));
    return file;
  }

  /** Writes a file of many blocks. It has the same length for every hour. */
  static void write(Path file, Optional<UUID> entry, Instant hour, int records) throws IOException {
    Files.createDirectories(file.getParent());
    try (DataFileWriter<GenericRecord> writer =
        new DataFileWriter<>(new GenericDatumWriter<GenericRecord>(SCHEMA))) {
      writer.setSyncInterval(1_000);
      entry.ifPresent(id -> writer.setMeta("tidemark.entry", id.toString()));
      writer.create(SCHEMA, file.toFile());
      for (int each = 0; each < records; each++) {
        GenericRecord order = new GenericData.Record(SCHEMA);
        order.put("at", hour.toEpochMilli() + each);
        order.put("text", "order " + each);
        writer.append(order);
      }
    }
  }

  Path local(StoragePath path) {
    return directory.resolve(path.value().substring(1));
  }

  Path local(Instant hour) {
    return local(layout.partitionDirectory(hivePartition(hour)));
  }

  /**
   * Lets the ledger take all entries.
   *
   * @param sums the totals of hours
   */
  void reckon(HivePartitionTotal... sums) throws Exception {
    connector.taken.put(
        topicPartition,
        new Position(
            number,
            UUID.randomUUID(),
            "cluster",
            "t",
            state.next(),
            state.counts(),
            Optional.empty(),
            Optional.empty()));
    connector.reckon(Optional.empty(), List.of(), List.of(sums));
  }

  /** The total of an hour with this number of files. */
  HivePartitionTotal total(Instant hour, int files) throws IOException {
    return total(hour, files, hivePartition(hour));
  }

  /** The total of an hour in any Hive partition. */
  HivePartitionTotal total(Instant hour, int files, HivePartition place) throws IOException {
    long bytes = 0;
    try (var all = Files.list(local(layout.partitionDirectory(place)))) {
      for (Path file : all.filter(each -> each.toString().endsWith(".avro")).toList()) {
        bytes += Files.size(file);
      }
    }
    return new HivePartitionTotal(
        TABLE,
        place,
        Optional.of(hour),
        Optional.of(hour.plus(Duration.ofHours(1))),
        (long) files * RECORDS,
        bytes,
        files,
        0,
        false);
  }

  /** Lets the ledger complete an hour, and writes the manifest. */
  void complete(HivePartitionTotal total) throws Exception {
    Completion completion = new Completion(total, connector.log.read().number() + 2, Instant.now());
    connector.completions.add(completion);
    reckon(total);
    new SuccessFiles(storage)
        .put(
            layout,
            new Manifest(
                "sales",
                completion,
                connector.log.read().number(),
                0,
                false,
                new TreeMap<>(Map.of()),
                List.of()),
            false);
  }

  DeployedConnector.Ended audit(String... options) {
    return run("audit", options);
  }

  DeployedConnector.Ended run(String subcommand, String... options) {
    List<String> arguments =
        new ArrayList<>(List.of(subcommand, "--connector", "sales", "--connect", connector.url()));
    arguments.addAll(List.of(options));
    return DeployedConnector.runWith(this, arguments.toArray(String[]::new));
  }

  @Override
  public TopicMetadata topics(ConnectorServices services) {
    return new Kafka();
  }

  @Override
  public ReadOnlyCatalog catalog(ConnectorServices services) {
    return new ReadOnlyCatalog() {
      @Override
      public List<UnseenPartition> unseen(
          TableDefinition table, Collection<HivePartition> partitions)
          throws CatalogConflictException {
        if (!inHive) {
          throw new CatalogConflictException(table.name() + ": the table was dropped from Hive");
        }
        return partitions.stream()
            .filter(each -> unseen.contains(each) || equated.containsKey(each))
            .map(
                each ->
                    new UnseenPartition(
                        table.name(),
                        each,
                        table.location() + "/" + each.path(),
                        Optional.empty(),
                        Optional.ofNullable(equated.get(each))))
            .toList();
      }

      @Override
      public void close() {}
    };
  }

  /** The part of Kafka that an audit uses. The test fails at other calls. */
  private final class Kafka implements TopicMetadata {
    @Override
    public TopicIdentity identity(String topic) throws IOException {
      if (kafkaAway) {
        throw new IOException("kafka:9092 does not answer");
      }
      if (deleted) {
        throw new IOException(new UnknownTopicOrPartitionException(topic));
      }
      return new TopicIdentity(TOPIC.clusterId(), topicId);
    }

    @Override
    public TopicIdentity agreedIdentity(String topic) throws IOException {
      return identity(topic);
    }

    @Override
    public boolean gone(TopicPartition topicPartition) {
      throw new UnsupportedOperationException();
    }

    @Override
    public RetainedOffsets retainedOffsets(TopicPartition topicPartition) {
      return new RetainedOffsets(earliest, end, LogState.UNKNOWN);
    }

    @Override
    public long earliest(TopicPartition topicPartition, int present) {
      return earliest;
    }

    @Override
    public long greatestEnd(TopicPartition topicPartition) {
      return end;
    }

    @Override
    public Map<TopicPartition, Long> ends(Set<TopicPartition> topicPartitions) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Undelivered undelivered(
        TopicPartition topicPartition, OffsetRange offsets, int present) {
      throw new UnsupportedOperationException();
    }

    @Override
    public OptionalLong truncatedAt(
        TopicPartition topicPartition, long next, int leaderEpoch, int present) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Optional<GroupOffset> groupOffset(TopicPartition topicPartition) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void close() {}
  }
}
