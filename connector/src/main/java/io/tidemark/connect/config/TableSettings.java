package io.tidemark.connect.config;

import io.tidemark.avro.mapping.MappingSettings;
import io.tidemark.avro.mapping.SchemaMapping;
import io.tidemark.completeness.ledger.TopicRules;
import io.tidemark.connect.hive.HiveCatalog;
import io.tidemark.connect.staging.Routing;
import io.tidemark.connect.staging.Routing.FieldValues;
import io.tidemark.connect.staging.Routing.RecordNames;
import io.tidemark.store.partition.PartitionSpec;
import io.tidemark.store.schema.HiveSchema;
import io.tidemark.store.table.Compression;
import io.tidemark.store.table.Table;
import io.tidemark.store.table.TableLayout;
import io.tidemark.store.table.TableName;
import io.tidemark.store.table.TableOptions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.common.config.ConfigException;

/** The tables of topics and records: their names, directories and partitioners. Thread-safe. */
public final class TableSettings {
  private static final String TOPIC = "topic";
  private static final String WHOLE = "0";
  static final String DATABASE = "database";
  static final String TABLE = "table";

  private final ScopedSettings scoped;
  private final ConnectorConfig config;
  private final NameMap topics;
  private final Optional<Pattern> captures;
  private final PartitionSpec byDefault;
  private final Map<String, Routing> byTopic = new ConcurrentHashMap<>();
  private final Map<TableName, String> views = new ConcurrentHashMap<>();

  /** Throws a {@link ConfigException} if a setting is one that validation rejects. */
  public TableSettings(ConnectorConfig config) {
    this.scoped = new ScopedSettings(config);
    this.config = scoped.connector();
    this.topics = map(config, ConnectorConfig.TOPIC_MAP);
    String regex = config.getString(ConnectorConfig.TOPIC_CAPTURES);
    this.captures = regex.isBlank() ? Optional.empty() : Optional.of(Pattern.compile(regex));
    this.byDefault = partitioning(config);
  }

  /** The tables in which a topic's records may land; empty if no rule names a table. */
  public List<Table> tables(String topic) {
    return routing(topic).tables();
  }

  public Routing routing(String topic) {
    return byTopic.computeIfAbsent(topic, this::made);
  }

  /** Whether a topic is counted for completeness: for all of its tables, or for none. */
  public boolean isReckoned(String topic) {
    return tables(topic).stream().allMatch(table -> table.options().reckoned());
  }

  /** The rules of completeness: the connector's, and those of topics with their own settings. */
  public TopicRules topicRules() {
    Map<String, TopicRules.Rule> named = new HashMap<>();
    for (String name : scoped.names(ScopedKey.Scope.TOPIC)) {
      named.put(name, over(config, ScopedKey.Scope.TOPIC, name).completeness().rule());
    }
    return new TopicRules(config.completeness().rule(), named);
  }

  public Map<String, String> hiveProperties(TableName table) {
    Map<String, String> properties =
        new HashMap<>(over(config, ScopedKey.Scope.TABLE, table.toString()).hiveTableProperties());
    Optional.ofNullable(views.get(table)).ifPresent(view -> properties.put(HiveCatalog.VIEW, view));
    return properties;
  }

  /** The tables that are not registered in Hive, although others are. */
  public Set<TableName> outsideHive() {
    Set<TableName> outside = new HashSet<>();
    for (String topic : scoped.names(ScopedKey.Scope.TOPIC)) {
      tables(topic).stream()
          .filter(table -> !table.options().inHive())
          .forEach(table -> outside.add(table.name()));
    }
    for (String table : scoped.names(ScopedKey.Scope.TABLE)) {
      if ("false"
          .equals(scoped.own(ScopedKey.Scope.TABLE, table).get(ConnectorConfig.HIVE_INTEGRATION))) {
        outside.add(TableName.parse(table));
      }
    }
    return outside;
  }

  /** Every partitioner that some table may have. */
  public List<PartitionSpec> partitionings() {
    Set<PartitionSpec> all = new LinkedHashSet<>();
    all.add(byDefault);
    for (String table : scoped.names(ScopedKey.Scope.TABLE)) {
      try {
        all.add(partitioning(over(config, ScopedKey.Scope.TABLE, table)));
      } catch (ConfigException e) {
        // These settings are valid only together with those of the table's topics.
      }
    }
    for (String topic : scoped.names(ScopedKey.Scope.TOPIC)) {
      tables(topic).forEach(table -> all.add(table.partitioning()));
    }
    return List.copyOf(all);
  }

  private Routing made(String topic) {
    try {
      return ruled(topic);
    } catch (IllegalArgumentException e) {
      return nowhere(
          "the tables of the topic %s have no names: %s. Correct %s, so that its groups match, or name the topic in %s."
              .formatted(
                  topic,
                  e.getMessage(),
                  ConnectorConfig.TOPIC_CAPTURES,
                  ConnectorConfig.TOPIC_MAP));
    }
  }

  private Routing ruled(String topic) {
    ConnectorConfig own = over(config, ScopedKey.Scope.TOPIC, topic);
    Optional<Matcher> captured =
        captures.map(pattern -> pattern.matcher(topic)).filter(Matcher::matches);
    Topic of = new Topic(topic, captured, own, own == config ? byDefault : partitioning(own));
    return withConflicts(of, ruled(of));
  }

  /** Adds the tables for records whose schemas conflict with those of the topic's tables. */
  private Routing withConflicts(Topic topic, Routing rules) {
    Map<Table, Table> beside = new LinkedHashMap<>();
    for (Table table : rules.tables()) {
      TableName name = table.name();
      ConnectorConfig own = over(topic.config, ScopedKey.Scope.TABLE, name.toString());
      own.conflictSuffix()
          .ifPresent(
              suffix -> {
                Topic mapped = mappedLike(own, topic);
                Table other = shared(mapped, name.database(), name.table() + suffix);
                beside.put(table, other);
                own.conflictView().ifPresent(view -> showBoth(name, other.name(), view));
              });
    }
    return beside.isEmpty() ? rules : new Routing.WithConflicts(rules, beside);
  }

  /** Otherwise a field that the first table hides would land as it is in the other one. */
  private static Topic mappedLike(ConnectorConfig first, Topic topic) {
    Map<String, String> given = new HashMap<>(first.given());
    given.keySet().removeIf(key -> !key.matches("unwrap|types.*|fields.*"));
    topic.config.given().forEach(given::putIfAbsent);
    return new Topic(topic.name, topic.captured, topic.config.with(given), topic.partitioning);
  }

  private void showBoth(TableName first, TableName second, String viewSuffix) {
    String names = "%s,%s,%s%s".formatted(first, second, first, viewSuffix);
    views.put(first, names);
    views.put(second, names);
  }

  private Routing ruled(Topic of) {
    String topic = of.name;
    String chosen = topics.byName().get(topic);
    if (chosen != null) {
      return Routing.toOne(chosen(of, chosen));
    }
    if (captures.isPresent() && of.captured.isEmpty()) {
      return topics
          .others()
          .map(others -> Routing.toOne(chosen(of, others)))
          .orElseGet(() -> nowhere(unmatched(topic)));
    }
    NameMap records = map(of.config, ConnectorConfig.RECORD_MAP);
    if (!records.isEmpty()) {
      return new RecordNames(
          chosen(of, records.byName()),
          records.others().map(table -> chosen(of, table)),
          ConnectorConfig.RECORD_MAP,
          config.unroutedAreDeadLetters());
    }
    NameMap values = map(of.config, ConnectorConfig.FIELD_MAP);
    if (!values.isEmpty()) {
      return new FieldValues(
          of.config.getString(ConnectorConfig.FIELD_NAME),
          chosen(of, values.byName()),
          values.others().map(table -> chosen(of, table)),
          ConnectorConfig.FIELD_NAME,
          ConnectorConfig.FIELD_MAP,
          config.unroutedAreDeadLetters());
    }
    return Routing.toOne(
        captures.isEmpty() && topics.others().isPresent()
            ? chosen(of, topics.others().get())
            : ownTable(of));
  }

  private Routing nowhere(String reason) {
    return new Routing.Nowhere(reason, config.unroutedAreDeadLetters());
  }

  private String unmatched(String topic) {
    return "%1$s=%2$s does not match the topic %3$s, and %4$s does not name it. Change %1$s, or name the topic in %4$s."
        .formatted(
            ConnectorConfig.TOPIC_CAPTURES,
            config.getString(ConnectorConfig.TOPIC_CAPTURES),
            topic,
            ConnectorConfig.TOPIC_MAP);
  }

  /** A topic, the groups that were captured from its name, and the settings that apply to it. */
  private record Topic(
      String name, Optional<Matcher> captured, ConnectorConfig config, PartitionSpec partitioning) {

    /** Replaces the placeholders for the topic's name and its groups. */
    String fill(String template) {
      return ConfigForms.PLACEHOLDER
          .matcher(template)
          .replaceAll(
              place -> {
                String what = place.group(1);
                String value =
                    what.equals(TOPIC) || what.equals(WHOLE)
                        ? name
                        : captured
                            .map(groups -> groups.group(Integer.parseInt(what)))
                            .orElseThrow(
                                () ->
                                    new IllegalArgumentException(
                                        place.group() + " has no value in " + name));
                return Matcher.quoteReplacement(value);
              });
    }
  }

  /** The table of a topic without a map. Several topics may share it. */
  private Table ownTable(Topic topic) {
    String template = topic.config.getString(ConnectorConfig.HIVE_TABLE_NAME);
    Map<String, String> own = scoped.own(ScopedKey.Scope.TOPIC, topic.name);
    boolean named = own.containsKey(ConnectorConfig.HIVE_TABLE_NAME);
    boolean shared = !isOfTheTopic(template) && (captures.isPresent() || named);
    String database = topic.fill(topic.config.getString(ConnectorConfig.HIVE_DATABASE));
    String raw = topic.fill(template);
    if (shared) {
      return shared(topic, database, raw);
    }
    TableName name = TableName.of(database, raw);
    return table(topic, name, TableLayout.of(config.topicsRoot(), topic.name));
  }

  /** The names that several topics give to a table must be equal before they are made Hive's. */
  private Table shared(Topic topic, String database, String raw) {
    TableName name = TableName.of(database, raw);
    return table(topic, name, TableLayout.of(config.topicsRoot(), name, database + "." + raw));
  }

  private static boolean isOfTheTopic(String template) {
    return template.contains("${" + TOPIC + "}") || template.contains("${" + WHOLE + "}");
  }

  private Map<String, Table> chosen(Topic topic, Map<String, String> named) {
    Map<String, Table> tables = new LinkedHashMap<>();
    named.forEach((name, table) -> tables.put(name, chosen(topic, table)));
    return tables;
  }

  /** Returns a table that a rule names. Examples: {@code sales.orders}, {@code orders_${1}} */
  private Table chosen(Topic topic, String template) {
    int dot = template.indexOf('.');
    String database =
        dot < 0
            ? topic.config.getString(ConnectorConfig.HIVE_DATABASE)
            : template.substring(0, dot);
    return shared(topic, topic.fill(database), topic.fill(template.substring(dot + 1)));
  }

  private Table table(Topic topic, TableName name, TableLayout layout) {
    ConnectorConfig own = over(topic.config, ScopedKey.Scope.TABLE, name.toString());
    String location = own.getString(ConnectorConfig.HIVE_TABLE_LOCATION);
    // Tables with equal settings share one partitioner object.
    return new Table(
        name,
        location.isBlank()
            ? layout
            : TableLayout.at(topic.fill(named(location, name)), layout.root().name()),
        own == topic.config ? topic.partitioning : partitioning(own),
        options(own));
  }

  private static String named(String template, TableName name) {
    return template
        .replace("${" + DATABASE + "}", name.database())
        .replace("${" + TABLE + "}", name.table());
  }

  private TableOptions options(ConnectorConfig own) {
    Compression compression = own.compression();
    return new TableOptions(
        compression.equals(config.compression()) ? Optional.empty() : Optional.of(compression),
        own.getBoolean(ConnectorConfig.COMPLETENESS_ENABLED),
        own.getBoolean(ConnectorConfig.COMPLETENESS_SUCCESS_FILE),
        own.getBoolean(ConnectorConfig.COMPLETENESS_EMPTY_PARTITIONS),
        own.getBoolean(ConnectorConfig.HIVE_INTEGRATION)
            || !config.getBoolean(ConnectorConfig.HIVE_INTEGRATION),
        mapping(
            own,
            (key, error) -> {
              throw new ConfigException(key, own.text(key), error);
            }),
        own.schemaRules());
  }

  /** Reads the rules for types and fields; errors of the forms of values are reported elsewhere. */
  static SchemaMapping mapping(ConnectorConfig config, ConfigErrors errors) {
    SchemaMapping.Builder rules =
        MappingSettings.read(
            config::text,
            (key, error) -> {
              if (!config.wrong().containsKey(key)) {
                errors.add(key, error);
              }
            });
    String decimals = config.text(ConnectorConfig.DECIMAL_UNBOUNDED);
    if (Boolean.parseBoolean(config.text(ConnectorConfig.HIVE_INTEGRATION))
        && !decimals.equals("refuse")) {
      rules.decimals(HiveSchema.DECIMAL_MAX_PRECISION, decimals.equals("string"));
    }
    return rules.build();
  }

  private ConnectorConfig over(ConnectorConfig base, ScopedKey.Scope scope, String name) {
    ConnectorConfig over = scoped.over(base, scope, name);
    over.wrong()
        .forEach(
            (key, error) -> {
              if (!base.wrong().containsKey(key)) {
                throw new ConfigException(error);
              }
            });
    return over;
  }

  private static NameMap map(ConnectorConfig config, String key) {
    String text = config.getString(key);
    try {
      return NameMap.parse(text);
    } catch (IllegalArgumentException e) {
      throw new ConfigException(key, text, String.valueOf(e.getMessage()));
    }
  }

  private static PartitionSpec partitioning(ConnectorConfig config) {
    List<String> errors = new ArrayList<>();
    return new Partitioning(config, (key, error) -> errors.add(key + ": " + error))
        .read()
        .orElseThrow(() -> new ConfigException(String.join(" ", errors)));
  }
}
