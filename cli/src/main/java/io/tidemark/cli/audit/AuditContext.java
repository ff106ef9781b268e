package io.tidemark.cli.audit;

import io.tidemark.cli.deployment.Deployment;
import io.tidemark.store.table.ReadOnlyCatalog;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutorService;

/**
 * The services and options of an {@link Audit}.
 *
 * @param catalog empty if the connector does not use Hive
 * @param threads the threads that read files
 */
record AuditContext(
    Deployment deployment,
    Optional<ReadOnlyCatalog> catalog,
    Optional<String> hivePartition,
    boolean deep,
    ExecutorService threads,
    Progress progress,
    Clock clock,
    Duration pause) {}
