package io.tidemark.cli.audit;

import io.tidemark.cli.deployment.CommandFailure;
import io.tidemark.cli.deployment.ConnectorServices;
import io.tidemark.cli.deployment.Deployment;
import io.tidemark.cli.deployment.ExitCode;
import io.tidemark.completeness.decide.Ledger;
import io.tidemark.completeness.ledger.Hold;
import io.tidemark.store.PrintableText;
import io.tidemark.store.commit.TopicMetadata;
import io.tidemark.store.log.CorruptLogException;
import io.tidemark.store.table.ReadOnlyCatalog;
import io.tidemark.store.table.Table;
import io.tidemark.store.table.TableLayout;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;

/**
 * Compares the ledger and the commit logs of a connector with the store, the catalog and Kafka.
 * Changes nothing. Used by one thread.
 *
 * @param table the name of the only table to check; empty for all
 * @param hivePartition the path of the only Hive partition to check; empty for all
 * @param deep whether every record is decoded
 * @param pause the pause before a difference is checked again
 */
public record Audit(
    Optional<String> table,
    Optional<String> hivePartition,
    boolean deep,
    Clock clock,
    Duration pause) {
  private static final int THREADS = 8;

  /** A table of a topic that has a log. */
  private record Audited(Table table, List<String> topics) {}

  /**
   * Audits a connector.
   *
   * @throws CommandFailure if the table is not the connector's, or a key is not resolved
   */
  public AuditReport run(Deployment deployment, AuditServices services, Progress progress)
      throws IOException, CorruptLogException, InterruptedException, CommandFailure {
    ConnectorServices connector = deployment.services();
    deployment.requireResolved(ConnectorServices.KAFKA_KEYS);
    Optional<String> refused = connector.refusedByKafkaClient();
    if (refused.isPresent()) {
      throw new CommandFailure(
          ExitCode.USAGE,
          "audit: %s For this command set JAVA_OPTS=-Dtidemark.kafka.allowed=VALUE."
              .formatted(refused.get()));
    }
    if (connector.hasCatalog()) {
      deployment.requireResolved(ConnectorServices.CATALOG_KEY);
    }
    List<Audited> audited = audited(deployment);
    Ledger ledger = deployment.ledger(deployment.logId(), clock).read();
    List<TableReport> tables = new ArrayList<>();
    ExecutorService threads =
        Executors.newFixedThreadPool(
            THREADS,
            task -> {
              Thread thread = new Thread(task, "tidemark-audit");
              thread.setDaemon(true);
              return thread;
            });
    Optional<ReadOnlyCatalog> catalog =
        connector.hasCatalog() ? Optional.of(services.catalog(connector)) : Optional.empty();
    try {
      AuditContext context =
          new AuditContext(
              deployment, catalog, hivePartition, deep, threads, progress, clock, pause);
      for (Audited each : audited) {
        tables.add(new TableAudit(context, each.table(), each.topics()).run());
      }
    } finally {
      threads.shutdownNow();
      catalog.ifPresent(ReadOnlyCatalog::close);
    }
    KafkaAudit.Result kafka;
    try (TopicMetadata topics = services.topics(connector)) {
      kafka =
          new KafkaAudit(deployment, topics)
              .run(audited.stream().flatMap(each -> each.topics().stream()).distinct().toList());
    }
    List<Finding> findings = new ArrayList<>();
    List<String> unchecked = new ArrayList<>();
    tables.forEach(each -> findings.addAll(each.findings()));
    tables.forEach(each -> unchecked.addAll(each.unchecked()));
    findings.addAll(kafka.findings());
    unchecked.addAll(kafka.unchecked());
    if (ledger.number() == 0) {
      unchecked.add("there is no ledger, so only the files of retained entries were compared");
    }
    return new AuditReport(
        PrintableText.of(deployment.connector()),
        ledger.number(),
        clock.instant(),
        deep,
        tables,
        kafka.topicPartitions(),
        findings,
        unchecked,
        ledger.state().holds().stream().filter(Hold::open).count());
  }

  /** Returns the tables of the topics that have a log. */
  private List<Audited> audited(Deployment deployment) throws IOException, CommandFailure {
    Map<TableLayout, Audited> byPlace = new LinkedHashMap<>();
    for (String topic : Evidence.topics(deployment)) {
      for (Table each : deployment.services().tables(topic)) {
        byPlace
            .computeIfAbsent(each.layout(), place -> new Audited(each, new ArrayList<>()))
            .topics()
            .add(topic);
      }
    }
    List<Audited> all = List.copyOf(byPlace.values());
    if (table.isEmpty()) {
      return all;
    }
    List<Audited> named =
        all.stream().filter(each -> each.table().name().toString().equals(table.get())).toList();
    if (named.isEmpty()) {
      String known =
          all.stream()
              .map(each -> each.table().name().toString())
              .collect(Collectors.joining(", "));
      throw new CommandFailure(
          ExitCode.USAGE,
          "--table %s: the connector %s has landed no records in a table of this name; it has %s. Correct the name."
              .formatted(
                  PrintableText.of(table.get()),
                  PrintableText.of(deployment.connector()),
                  known.isEmpty() ? "none" : known));
    }
    return named;
  }
}
