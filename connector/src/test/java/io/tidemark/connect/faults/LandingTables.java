package io.tidemark.connect.faults;

import io.tidemark.connect.staging.Routing;
import io.tidemark.store.batch.NullValues;
import io.tidemark.store.table.Table;
import io.tidemark.store.table.TableLayout;
import io.tidemark.store.table.TableName;
import io.tidemark.store.table.TableOptions;
import java.io.IOException;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** The tables in which the records of each topic land, and the records that do not land. */
final class LandingTables {
  /** The suffix of the name of a topic's other table. */
  private static final String OTHER = "_other";

  /** The suffix of the name of the table for which a rule is added. */
  private static final String ADDED = "_added";

  private static final String RENAMED = "2";

  private final World world;
  private final Landing landing;

  /** The first parts of the former names of tables that were renamed. */
  private final Set<String> renamed = new HashSet<>();

  private final Set<Table> former = new LinkedHashSet<>();

  LandingTables(World world) {
    this.world = world;
    this.landing = world.landing();
  }

  /** The table that is named after a topic, or the table of all topics. */
  Table of(String topic) {
    return named(base(topic));
  }

  private String base(String topic) {
    String base = landing.shared() ? "all" : topic;
    return renamed.contains(base) ? base + RENAMED : base;
  }

  /** Later records of a topic land in a table of another name, in another directory. */
  void rename(String topic) {
    former.addAll(all(topic));
    renamed.add(landing.shared() ? "all" : topic);
  }

  /** True if records of a topic land in a table of another name. */
  boolean isRenamed(String topic) {
    return renamed.contains(landing.shared() ? "all" : topic);
  }

  /** True if the table was left, because the records of its topics land in another one. */
  boolean isFormer(TableName table) {
    return former.stream().anyMatch(each -> each.name().equals(table));
  }

  private Table named(String name) {
    return new Table(
        new TableName("default", name),
        TableLayout.of(World.TOPICS, name),
        landing.partitioning(),
        TableOptions.DEFAULT);
  }

  /** The tables in which a topic's records land. */
  List<Table> all(String topic) {
    return routing(topic).tables();
  }

  /** The tables of all topics that exist or have existed, also those that were left. */
  List<Table> all() {
    return Stream.concat(
            former.stream(),
            world.kafka().everTopics().stream().flatMap(topic -> all(topic).stream()))
        .distinct()
        .toList();
  }

  /** The tables in which a topic's records land or have landed. */
  List<Table> ever(String topic) {
    return all().stream().filter(table -> topics(table.name()).contains(topic)).toList();
  }

  /** True if a record of a topic may be in a table, or may have landed in it before. */
  boolean mayHave(TableName table, String topic, SourceRecord record) {
    TableName now = of(topic, record).name();
    return now.equals(table) || now.table().equals(renamedName(table.table()));
  }

  /** The name of a table after a change of its name. */
  private String renamedName(String name) {
    for (String base : renamed) {
      if (name.equals(base) || name.startsWith(base + "_")) {
        return base + RENAMED + name.substring(base.length());
      }
    }
    return name;
  }

  /** The table in which a record of a topic lands. */
  Table of(String topic, SourceRecord record) {
    return record.kind() == RecordKind.UNROUTED
        ? named(base(topic) + ADDED)
        : landing.routes().other(record) ? named(base(topic) + OTHER) : of(topic);
  }

  /** The topics, also former ones, whose records land in a table. */
  List<String> topics(TableName table) {
    return world.kafka().everTopics().stream()
        .filter(
            topic ->
                all(topic).stream()
                    .map(each -> each.name().table())
                    .anyMatch(
                        now -> now.equals(table.table()) || now.equals(renamedName(table.table()))))
        .toList();
  }

  Routing routing(String topic) {
    boolean added = landing.refusal() == Refusal.RULE_ADDED && world.refusals().remedied();
    return landing
        .routes()
        .between(
            of(topic),
            named(base(topic) + OTHER),
            added ? Optional.of(named(base(topic) + ADDED)) : Optional.empty(),
            landing.refusal() == Refusal.UNROUTED_DEAD_LETTERS);
  }

  boolean hasFiles(Table table) {
    try {
      return world.storage().list(table.layout().root()).stream()
          .anyMatch(existing -> !existing.path().name().startsWith("."));
    } catch (IOException e) {
      throw new AssertionError("the store in memory cannot be read", e);
    }
  }

  /** True if the record becomes a row, at once or after an operator has acted. */
  boolean lands(SourceRecord record) {
    return record.kind().lands()
        || (landing.refusal().lands()
            && landing.refusal().kind().equals(Optional.of(record.kind())));
  }

  /** True if a record that does not land is in its place. */
  boolean arrivesElsewhere(SourceRecord record) {
    return !lands(record)
        && (record.kind() == RecordKind.DROPPED
            || skips(record)
            || world.deadLetters().has(record));
  }

  /** True if the record is counted as skipped. */
  boolean skips(SourceRecord record) {
    return (record.kind() == RecordKind.TOMBSTONE && landing.nullValues() == NullValues.IGNORE)
        || world.refusals().skipped(record);
  }

  /** True if the record is counted as a dead letter. */
  boolean deadLettered(SourceRecord record) {
    return !skips(record)
        && (record.kind().odd()
            || (record.kind() == RecordKind.UNROUTED
                && landing.refusal() == Refusal.UNROUTED_DEAD_LETTERS));
  }
}
