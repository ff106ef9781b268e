package io.tidemark.cli.audit;

import io.tidemark.cli.deployment.Deployment;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutorService;

/**
 * What an audit works with.
 *
 * @param catalog empty where the connector does without Hive
 * @param hivePartition the path of the only one to look at; empty for all
 * @param deep whether every record is decoded
 * @param threads look at files
 * @param pause before what differs is looked at again
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
