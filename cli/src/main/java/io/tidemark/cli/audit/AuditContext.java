package io.tidemark.cli.audit;

import io.tidemark.cli.deployment.Deployment;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutorService;

/**
 * The services and options of an audit.
 *
 * @param catalog the catalog; empty if the connector does not use Hive
 * @param hivePartition the path of the only Hive partition to check; empty for all
 * @param deep whether every record is decoded
 * @param threads the threads that read files
 * @param pause the pause before a difference is checked again
 */
record AuditContext(
    Deployment deployment,
    Optional<AuditServices.Catalog> catalog,
    Optional<String> hivePartition,
    boolean deep,
    ExecutorService threads,
    Progress progress,
    Clock clock,
    Duration pause) {}
