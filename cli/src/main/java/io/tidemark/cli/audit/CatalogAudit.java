package io.tidemark.cli.audit;

import io.tidemark.cli.audit.Finding.Kind;
import io.tidemark.cli.deployment.Deployment;
import io.tidemark.store.PrintableText;
import io.tidemark.store.partition.HivePartition;
import io.tidemark.store.table.CatalogConflictException;
import io.tidemark.store.table.CatalogUnavailableException;
import io.tidemark.store.table.ReadOnlyCatalog;
import io.tidemark.store.table.Table;
import io.tidemark.store.table.TableDefinition;
import io.tidemark.store.table.UnseenPartition;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.avro.Schema;

/** Checks in the catalog that queries see a table's Hive partitions. Used by one thread. */
final class CatalogAudit {
  /** The most Hive partitions of one call to the catalog. */
  private static final int PARTITIONS_A_CALL = 100;

  private final Optional<ReadOnlyCatalog> catalog;
  private final TableDefinition definition;
  private final long pauseMs;
  private final List<String> unchecked;
  private final List<HivePartition> asked = new ArrayList<>();
  private final List<HivePartition> unseen = new ArrayList<>();
  private boolean stopped;
  private boolean tableSeen;
  private Optional<Finding> conflict = Optional.empty();

  /** Creates an audit, which adds failed requests to {@code unchecked}. */
  CatalogAudit(AuditContext context, Table table, List<String> unchecked) {
    this.catalog = context.catalog();
    this.pauseMs = context.pause().toMillis();
    this.unchecked = unchecked;
    this.definition = definition(context.deployment(), table);
  }

  /** Returns the definition of a table. Its schema is not compared: tasks registered it. */
  static TableDefinition definition(Deployment deployment, Table table) {
    return new TableDefinition(
        table.name(),
        deployment.storage().location() + table.layout().root().value(),
        Schema.createRecord("Unknown", null, null, false, List.of()),
        table.partitioning().columns(),
        deployment.services().tableParameters());
  }

  /** Adds a Hive partition that has files, or should have. */
  void see(HivePartition hivePartition) {
    tableSeen = true;
    if (!hivePartition.columns().isEmpty()) {
      asked.add(hivePartition);
    }
    if (asked.size() == PARTITIONS_A_CALL) {
      ask().forEach(each -> unseen.add(each.partition()));
    }
  }

  private List<UnseenPartition> ask() {
    if (catalog.isEmpty() || stopped) {
      asked.clear();
      return List.of();
    }
    try {
      return catalog.get().unseen(definition, List.copyOf(asked));
    } catch (CatalogUnavailableException e) {
      stopped = true;
      unchecked.add(
          "%s: the Hive Metastore does not answer: %s"
              .formatted(definition.name(), PrintableText.messageOf(e)));
    } catch (CatalogConflictException e) {
      stopped = true;
      conflict =
          Optional.of(
              new Finding(Kind.CATALOG, definition.name().toString(), PrintableText.messageOf(e)));
    } finally {
      asked.clear();
    }
    return List.of();
  }

  /**
   * Returns the Hive partitions that the Metastore's database equates with another one, which Hive
   * has instead.
   */
  Map<HivePartition, HivePartition> equated(List<HivePartition> suspects) {
    if (tableSeen) {
      ask().forEach(each -> unseen.add(each.partition()));
    }
    Map<HivePartition, HivePartition> equated = new LinkedHashMap<>();
    for (int from = 0; from < suspects.size() && !stopped; from += PARTITIONS_A_CALL) {
      asked.addAll(suspects.subList(from, Math.min(suspects.size(), from + PARTITIONS_A_CALL)));
      for (UnseenPartition each : ask()) {
        each.equated().ifPresent(inHive -> equated.put(each.partition(), inHive));
      }
    }
    return equated;
  }

  /** Leaves out a Hive partition whose files were moved to the one that Hive has. */
  void forget(HivePartition moved) {
    unseen.remove(moved);
  }

  /** Checks the rest, and checks unseen Hive partitions again: registrations may be running. */
  List<Finding> end() throws InterruptedException {
    if (tableSeen) {
      ask().forEach(each -> unseen.add(each.partition()));
    }
    List<Finding> findings = new ArrayList<>();
    if (!unseen.isEmpty()) {
      Thread.sleep(pauseMs);
    }
    for (int from = 0; from < unseen.size() && !stopped; from += PARTITIONS_A_CALL) {
      asked.addAll(unseen.subList(from, Math.min(unseen.size(), from + PARTITIONS_A_CALL)));
      for (UnseenPartition each : ask()) {
        findings.add(
            new Finding(Kind.CATALOG, definition.name() + " " + each.partition(), each.problem()));
      }
    }
    conflict.ifPresent(findings::add);
    return findings;
  }
}
