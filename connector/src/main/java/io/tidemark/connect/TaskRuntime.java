package io.tidemark.connect;

import io.tidemark.avro.codegen.CompiledPlans;
import io.tidemark.completeness.decide.Accounts;
import io.tidemark.completeness.ledger.LedgerDirectories;
import io.tidemark.completeness.reckon.InboxAccounts;
import io.tidemark.connect.config.CompletenessSettings;
import io.tidemark.connect.config.ConnectorConfig;
import io.tidemark.connect.config.TableSettings;
import io.tidemark.connect.health.ServiceCalls;
import io.tidemark.connect.intake.ConsumerControl;
import io.tidemark.connect.intake.DeadLetterQueue;
import io.tidemark.connect.intake.FlushSchedule;
import io.tidemark.connect.intake.PartitionEnds;
import io.tidemark.connect.intake.PipelineServices;
import io.tidemark.connect.intake.PipelineSettings;
import io.tidemark.connect.metrics.MetricBean;
import io.tidemark.connect.metrics.ServiceMetrics;
import io.tidemark.connect.metrics.TaskMetrics;
import io.tidemark.connect.metrics.TaskThread;
import io.tidemark.connect.metrics.TopicPartitionMetrics;
import io.tidemark.connect.pipeline.LandingPipeline;
import io.tidemark.connect.staging.FileLimits;
import io.tidemark.connect.staging.HivePartitionLimit;
import io.tidemark.connect.staging.KeyedRows;
import io.tidemark.connect.staging.MemoryBudget;
import io.tidemark.connect.staging.SchemaBinder;
import io.tidemark.connect.staging.StagingResources;
import io.tidemark.connect.staging.StagingSettings;
import io.tidemark.registry.config.RegistryConfig;
import io.tidemark.store.MonotonicClock;
import io.tidemark.store.Storage;
import io.tidemark.store.TopicPartition;
import io.tidemark.store.commit.Claimant;
import io.tidemark.store.file.AvroFileFactory;
import io.tidemark.store.partition.TimePartitioned;
import io.tidemark.store.table.TableSchemas;
import java.time.Clock;
import java.time.Duration;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The parts of a running task: clients of services, threads, and the pipeline that uses them. */
record TaskRuntime(
    ServiceClients clients,
    TaskThreads threads,
    AvroFileFactory files,
    LandingPipeline pipeline,
    TaskThread taskThread,
    List<MetricBean<?>> beans,
    TopicPartitionMetrics topicPartitionMetrics) {
  private static final Logger LOG = LoggerFactory.getLogger(TaskRuntime.class);
  private static final int CHUNK_RECORDS = 4_096;
  private static final long CHUNK_BYTES = 1 << 20;
  // A task may stop within 5 s (task.shutdown.graceful.timeout.ms), of which close() may take 3.
  private static final long STOP_WAIT_MS = 1_000;
  private static final long STEPS_WAIT_MS = 400;

  /** Creates a task's parts. Called in the task's thread; sends no request to a service. */
  static TaskRuntime start(
      ConnectorConfig config, ConsumerControl consumer, Optional<DeadLetterQueue> deadLetters) {
    String connector = config.connectorName();
    int task = config.getInt(ConnectorConfig.TASK_ID);
    String logId = config.logId();
    RegistryConfig registry = config.registry();
    ServiceClients clients = ServiceClients.of(config);
    TaskThreads threads = TaskThreads.start(config, connector + "-" + task);
    TableSettings tables = new TableSettings(config);
    CompiledPlans compiledPlans = CompiledPlans.shared();
    compiledPlans.warmUp();
    MemoryBudget memory = new MemoryBudget(config.getLong(ConnectorConfig.MEMORY_BYTES));
    AvroFileFactory files =
        new AvroFileFactory(
            AvroFileFactory.codec(config.compression()),
            config.getInt(ConnectorConfig.AVRO_BLOCK_SIZE_BYTES),
            memory::idleBytes);
    MonotonicClock monotonic = MonotonicClock.system();
    StagingResources staging =
        new StagingResources(
            clients.storage(),
            new StagingSettings(
                CHUNK_RECORDS,
                CHUNK_BYTES,
                config.getInt(ConnectorConfig.BATCH_HIVE_PARTITIONS),
                config.getInt(ConnectorConfig.STORAGE_OPEN_FILES),
                new FileLimits(
                    config.getLong(ConnectorConfig.FLUSH_SIZE),
                    config.getLong(ConnectorConfig.FILE_SIZE_BYTES),
                    Math.max(0, config.getLong(ConnectorConfig.ROTATE_INTERVAL_MS)))),
            memory,
            threads.workers(),
            threads.writers(),
            files,
            compiledPlans,
            new HivePartitionLimit(
                config.getInt(ConnectorConfig.HIVE_PARTITIONS_MAX),
                clients.storage(),
                monotonic,
                Clock.systemUTC()),
            new ConcurrentLinkedQueue<>(),
            new AtomicInteger());
    PipelineSettings settings =
        settings(config, tables, logId, new Claimant(connector, task, worker()));
    LandingPipeline pipeline =
        new LandingPipeline(
            PipelineServices.of(
                settings,
                threads.scheduling(),
                staging,
                clients.topics(),
                clients
                    .catalog()
                    .map(
                        catalog ->
                            ServiceClients.registrar(config, tables, clients.storage(), catalog)),
                accounts(config, tables, clients.storage(), logId),
                deadLetters,
                clients.health()),
            config.logsRoot(),
            topic ->
                new SchemaBinder(
                    clients.registry(),
                    () -> registry.reader(topic),
                    tables.routing(topic),
                    layout -> new TableSchemas(clients.storage(), layout),
                    config.getBoolean(ConnectorConfig.HIVE_INTEGRATION),
                    config.getInt(ConnectorConfig.REGISTRY_CACHE_SIZE),
                    config.schemaLimits(),
                    config.kafkaColumns(),
                    config
                        .keyColumns()
                        .map(
                            columns ->
                                new KeyedRows(
                                    columns, clients.registry(), () -> registry.reader(topic)))),
            consumer);
    TaskThread taskThread = new TaskThread();
    List<MetricBean<?>> beans = new ArrayList<>();
    beans.add(
        TaskMetrics.bean(
            connector,
            task,
            new TaskMetrics.Source(
                TidemarkSinkConnector.VERSION,
                taskThread,
                threads.workers(),
                threads.writers(),
                threads.steps(),
                threads.catalog(),
                files::codecNanos,
                staging.compiledPlans(),
                pipeline::load,
                pipeline::deadLetters,
                settings.longestWaitMs())));
    for (ServiceCalls calls : clients.health().calls()) {
      beans.add(ServiceMetrics.bean(connector, task, calls, clients.health().waits()));
    }
    beans.forEach(MetricBean::register);
    return new TaskRuntime(
        clients,
        threads,
        files,
        pipeline,
        taskThread,
        beans,
        new TopicPartitionMetrics(connector, task));
  }

  void open(Collection<TopicPartition> topicPartitions) {
    pipeline.open(topicPartitions);
    for (TopicPartition each : topicPartitions) {
      pipeline.progress(each).ifPresent(progress -> topicPartitionMetrics.take(each, progress));
    }
  }

  void close(Collection<TopicPartition> topicPartitions) {
    try {
      pipeline.close(topicPartitions);
    } finally {
      topicPartitions.forEach(topicPartitionMetrics::leave);
    }
  }

  private static Optional<Accounts> accounts(
      ConnectorConfig config, TableSettings tables, Storage storage, String logId) {
    CompletenessSettings completeness = config.completeness();
    return completeness.anyEnabled()
        ? Optional.of(
            new InboxAccounts(
                storage,
                new LedgerDirectories(completeness.ledgerRoot(), logId),
                Clock.systemUTC(),
                tables::isReckoned))
        : Optional.empty();
  }

  /** Ends the task: waits briefly for running calls, then closes everything. */
  void close() {
    topicPartitionMetrics.close();
    beans.forEach(MetricBean::close);
    try {
      pipeline.stop();
    } finally {
      threads.shutdown();
      awaitClosedClients();
    }
  }

  private void awaitClosedClients() {
    Thread closing = TaskThreads.factory("tidemark-close").newThread(this::closeClients);
    closing.start();
    try {
      closing.join(STOP_WAIT_MS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (closing.isAlive()) {
      LOG.info(
          "clients of services are not closed after {} ms: a background thread continues to close them",
          STOP_WAIT_MS);
    }
  }

  private void closeClients() {
    try {
      threads.awaitServices(STEPS_WAIT_MS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    files.close();
    clients.close();
  }

  static PipelineSettings settings(
      ConnectorConfig config, TableSettings tables, String logId, Claimant claimant) {
    return new PipelineSettings(
        logId,
        claimant,
        config.getLong(ConnectorConfig.BATCH_RECORDS),
        config.getLong(ConnectorConfig.BATCH_BYTES),
        config.getInt(ConnectorConfig.BATCH_OFFSET_RANGES),
        config.getLong(ConnectorConfig.BATCH_INTERVAL_MS),
        config.getLong(ConnectorConfig.FILE_MIN_BYTES),
        config.getLong(ConnectorConfig.FILE_MAX_DELAY_MS),
        config.getLong(ConnectorConfig.SHUTDOWN_TIMEOUT_MS),
        config.getLong(ConnectorConfig.RETRY_BACKOFF_MS),
        config.getInt(ConnectorConfig.HIVE_REGISTRATION_BACKLOG),
        config.getInt(ConnectorConfig.LOG_RETAINED_ENTRIES),
        config.getInt(ConnectorConfig.OFFSET_DIGITS),
        config.nullValues(),
        config.getInt(ConnectorConfig.DEAD_LETTERS_IN_FLIGHT),
        config.getLong(ConnectorConfig.DEAD_LETTER_TIMEOUT_MS),
        config.getLong(ConnectorConfig.CLUSTER_CHECK_TIMEOUT_MS),
        config.getLong(ConnectorConfig.COMPLETENESS_END_CHECK_INTERVAL_MS),
        partitionEnds(config, tables, claimant.task()),
        flushSchedule(config),
        config.getLong(ConnectorConfig.RATE_RECORDS_PER_SECOND),
        config.consent(),
        config.onRefusal(),
        Duration.ofMillis(config.getLong(ConnectorConfig.REFUSAL_DEADLINE_MS)));
  }

  /** Returns the times at which the task commits because Hive partitions have ended. */
  private static Optional<PartitionEnds> partitionEnds(
      ConnectorConfig config, TableSettings tables, int task) {
    CompletenessSettings completeness = config.completeness();
    if (!completeness.anyEnabled() || !completeness.flushesAtPartitionEnd()) {
      return Optional.empty();
    }
    List<TimePartitioned> byTime =
        tables.partitionings().stream().flatMap(spec -> spec.time().stream()).toList();
    return PartitionEnds.of(byTime, completeness.lateness().toMillis(), task);
  }

  private static Optional<FlushSchedule> flushSchedule(ConnectorConfig config) {
    long intervalMs = config.getLong(ConnectorConfig.ROTATE_SCHEDULE_INTERVAL_MS);
    return intervalMs > 0
        ? Optional.of(
            new FlushSchedule(intervalMs, ZoneId.of(config.getString(ConnectorConfig.TIMEZONE))))
        : Optional.empty();
  }

  /** Names this worker process to tasks that read its claims. Example: {@code 4711@worker-2}. */
  static String worker() {
    return ProcessHandle.current().pid()
        + "@"
        + Optional.ofNullable(System.getenv("HOSTNAME")).orElse("localhost");
  }
}
