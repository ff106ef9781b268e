package io.tidemark.connect.hive;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemark.store.partition.HivePartition;
import io.tidemark.store.schema.HiveSchema;
import io.tidemark.store.table.TableDefinition;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.avro.SchemaNormalization;
import org.apache.hadoop.hive.metastore.api.EnvironmentContext;
import org.apache.hadoop.hive.metastore.api.FieldSchema;
import org.apache.hadoop.hive.metastore.api.Partition;
import org.apache.hadoop.hive.metastore.api.SerDeInfo;
import org.apache.hadoop.hive.metastore.api.StorageDescriptor;
import org.apache.hadoop.hive.metastore.api.Table;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Creates the Metastore's objects of tables and Hive partitions. Tables are external, and have
 * their files' format, and their schema in a table parameter, which takes precedence over columns.
 */
final class HiveObjects {
  private static final Logger LOG = LoggerFactory.getLogger(HiveObjects.class);

  static final String EXTERNAL_TABLE = "EXTERNAL_TABLE";
  static final String SERDE = "org.apache.hadoop.hive.serde2.avro.AvroSerDe";
  static final String INPUT_FORMAT = "org.apache.hadoop.hive.ql.io.avro.AvroContainerInputFormat";

  /** Would write files; Hive requires it. */
  private static final String OUTPUT_FORMAT =
      "org.apache.hadoop.hive.ql.io.avro.AvroContainerOutputFormat";

  /** The table parameter that contains the schema's JSON. */
  private static final String SCHEMA = "avro.schema.literal";

  /**
   * The table parameter with what was registered last: the version, and fingerprints of the schema
   * and of the columns. Example: {@code 3/c15d213aa4d7a795/8f014b2b3b0e0e76}
   */
  static final String REGISTERED = "tidemark.registered";

  private static final String SCHEMA_URL = "avro.schema.url";

  /** Prevents the Metastore from listing the directory, which may change at any time. */
  private static final Map<String, String> NO_STATISTICS = Map.of("DO_NOT_UPDATE_STATS", "true");

  private static final int PARTITIONS_PER_CALL = 100;

  /** The width of a comment in the Metastore's database, which often stores Latin-1 only. */
  private static final int COMMENT_CHARS = 256;

  /** What Hive stores as the comment of a column of which the SerDe knows none. */
  private static final String NO_COMMENT = "from deserializer";

  private HiveObjects() {}

  /** The context of a change after which the Metastore does not list the directory. */
  static EnvironmentContext withoutStatistics() {
    EnvironmentContext context = new EnvironmentContext();
    context.setProperties(NO_STATISTICS);
    return context;
  }

  static Table table(TableDefinition definition, HiveSchema schema, String owner) {
    Table table = new Table();
    table.setDbName(definition.name().database().toLowerCase(Locale.ROOT));
    table.setTableName(definition.name().table().toLowerCase(Locale.ROOT));
    table.setOwner(owner);
    table.setTableType(EXTERNAL_TABLE);
    table.setPartitionKeys(
        definition.partitionColumns().stream()
            .map(column -> new FieldSchema(column, "string", ""))
            .toList());
    table.setSd(storage(definition, schema));
    table.setParameters(new HashMap<>(NO_STATISTICS));
    describe(table, definition, schema);
    return table;
  }

  private static StorageDescriptor storage(TableDefinition definition, HiveSchema schema) {
    StorageDescriptor storage = new StorageDescriptor();
    storage.setLocation(definition.location());
    storage.setInputFormat(INPUT_FORMAT);
    storage.setOutputFormat(OUTPUT_FORMAT);
    storage.setNumBuckets(-1);
    storage.setBucketCols(List.of());
    storage.setSortCols(List.of());
    storage.setParameters(Map.of());
    storage.setCols(columns(schema));
    storage.setSerdeInfo(
        new SerDeInfo(definition.name().table(), SERDE, Map.of("serialization.format", "1")));
    return storage;
  }

  /** Sets the changeable parts of a table: its schema and the connector's parameters. */
  static void describe(Table table, TableDefinition definition, HiveSchema schema) {
    table.getSd().setCols(commented(columns(schema), table.getSd().getCols()));
    table.putToParameters("EXTERNAL", "TRUE");
    table.putToParameters(SCHEMA, ascii(schema.avro().toString()));
    definition.parameters().forEach(table::putToParameters);
    // Properties of a table that was created in advance. The schema literal takes precedence, but
    // two schemas are misleading, so remove the URL.
    table.getParameters().remove(SCHEMA_URL);
    if (table.getSd().getSerdeInfo().isSetParameters()) {
      Map<String, String> ofSerde = new HashMap<>(table.getSd().getSerdeInfo().getParameters());
      ofSerde.keySet().removeAll(Set.of(SCHEMA_URL, SCHEMA));
      table.getSd().getSerdeInfo().setParameters(ofSerde);
    }
    table.putToParameters(REGISTERED, registered(table));
  }

  /** Returns the value of {@link #REGISTERED} for a table as it is. */
  private static String registered(Table table) {
    return "%s/%s/%s"
        .formatted(
            table.getParameters().getOrDefault(HiveCatalog.SCHEMA_VERSION, ""),
            fingerprint(table.getParameters().getOrDefault(SCHEMA, "")),
            fingerprint(String.join(",", shown(table.getSd().getCols()))));
  }

  static String fingerprint(String text) {
    return Long.toHexString(SchemaNormalization.fingerprint64(text.getBytes(UTF_8)));
  }

  /**
   * Returns what others changed in schema and columns since {@link #describe}. They may be those of
   * {@code ours}: two tasks that alter a table at once may leave the parameters of one and the
   * columns of the other. Empty if an earlier release registered the table last: that updates the
   * version, and not {@link #REGISTERED}.
   */
  static Optional<String> altered(Table table, HiveSchema ours) {
    String[] then = table.getParameters().getOrDefault(REGISTERED, "").split("/", -1);
    String[] now = registered(table).split("/", -1);
    if (then.length != 3 || !then[0].equals(now[0])) {
      return Optional.empty();
    }
    SerDeInfo serde = table.getSd().getSerdeInfo();
    if (table.getParameters().containsKey(SCHEMA_URL)
        || (serde.isSetParameters()
            && !Collections.disjoint(serde.getParameters().keySet(), Set.of(SCHEMA_URL, SCHEMA)))) {
      return Optional.of("avro.schema.url, or a schema of its SerDe, was set");
    }
    if (!then[1].equals(now[1]) && !hasLiteral(table, ours)) {
      return Optional.of("its property " + SCHEMA + " was changed or removed");
    }
    return then[2].equals(now[2]) || shown(table.getSd().getCols()).equals(shown(columns(ours)))
        ? Optional.empty()
        : Optional.of(firstDiffering(table, columns(ours)).orElse("its last columns are missing"));
  }

  /** Returns the first column that differs. The Metastore can append columns that are missing. */
  static Optional<String> firstDiffering(Table table, List<FieldSchema> ours) {
    List<FieldSchema> columns = table.getSd().getCols();
    for (int i = 0; i < columns.size(); i++) {
      String existing = shown(columns.get(i));
      String own = i < ours.size() ? shown(ours.get(i)) : "none";
      if (!existing.equals(own)) {
        return Optional.of("its column %d is %s, not %s".formatted(i + 1, existing, own));
      }
    }
    return Optional.empty();
  }

  /** Returns whether a table has the schema and the columns that {@link #describe} sets. */
  static boolean isDescribed(Table table, HiveSchema schema) {
    return hasLiteral(table, schema)
        && !table.getParameters().containsKey(SCHEMA_URL)
        && shown(table.getSd().getCols()).equals(shown(columns(schema)))
        && registered(table).equals(table.getParameters().get(REGISTERED));
  }

  private static boolean hasLiteral(Table table, HiveSchema schema) {
    return ascii(schema.avro().toString()).equals(table.getParameters().get(SCHEMA));
  }

  private static List<String> shown(List<FieldSchema> columns) {
    return columns.stream().map(HiveObjects::shown).toList();
  }

  /** Returns a column without its comment, as Hive compares it. Example: {@code id bigint} */
  static String shown(FieldSchema column) {
    return (column.getName() + " " + column.getType()).toLowerCase(Locale.ROOT);
  }

  /** Escapes non-ASCII characters of JSON: the databases of many Metastores use Latin-1. */
  static String ascii(String json) {
    StringBuilder escaped = new StringBuilder(json.length());
    for (int i = 0; i < json.length(); i++) {
      char c = json.charAt(i);
      escaped.append(c < 0x7f ? c : String.format(Locale.ROOT, "\\u%04x", (int) c));
    }
    return escaped.toString();
  }

  static List<FieldSchema> columns(HiveSchema schema) {
    return schema.columns().stream()
        .map(column -> new FieldSchema(column.name(), column.type(), comment(column.comment())))
        .toList();
  }

  /** Keeps the comments that a user has given to columns. */
  private static List<FieldSchema> commented(List<FieldSchema> columns, List<FieldSchema> before) {
    Map<String, String> comments = new HashMap<>();
    for (FieldSchema column : before) {
      String comment = column.getComment();
      if (comment != null && !comment.isBlank() && !comment.equals(NO_COMMENT)) {
        comments.put(column.getName(), comment);
      }
    }
    columns.forEach(
        column -> column.setComment(comments.getOrDefault(column.getName(), column.getComment())));
    return columns;
  }

  private static String comment(String doc) {
    String ascii = doc.strip().replaceAll("[^ -~]", "?");
    return ascii.length() <= COMMENT_CHARS ? ascii : ascii.substring(0, COMMENT_CHARS - 3) + "...";
  }

  static Partition partition(Table table, HivePartition partition) {
    StorageDescriptor storage = table.getSd().deepCopy();
    storage.setLocation(location(table, partition));
    Partition made = new Partition();
    made.setDbName(table.getDbName());
    made.setTableName(table.getTableName());
    made.setValues(partition.values());
    made.setSd(storage);
    made.setParameters(new HashMap<>(NO_STATISTICS));
    return made;
  }

  /**
   * Divides Hive partitions into calls of at most {@value #PARTITIONS_PER_CALL}. Those that some
   * databases {@link HivePartition#compared equate} are in separate calls.
   */
  static List<List<HivePartition>> calls(Collection<HivePartition> partitions) {
    Set<List<String>> seen = new HashSet<>();
    List<List<HivePartition>> calls = new ArrayList<>();
    List<HivePartition> open = new ArrayList<>();
    List<List<HivePartition>> alike = new ArrayList<>();
    for (HivePartition partition : partitions) {
      if (!seen.add(partition.compared())) {
        alike.add(List.of(partition));
        continue;
      }
      if (open.isEmpty()) {
        calls.add(open);
      }
      open.add(partition);
      if (open.size() == PARTITIONS_PER_CALL) {
        open = new ArrayList<>();
      }
    }
    calls.addAll(alike);
    return calls;
  }

  /** Parses the names of Hive partitions, without those that this connector cannot have created. */
  static Set<HivePartition> partitions(List<String> names) {
    Set<HivePartition> partitions = new HashSet<>();
    for (String name : names) {
      try {
        partitions.add(HivePartition.parse(name));
      } catch (IllegalArgumentException e) {
        LOG.debug("the Hive partition {} is not this connector's", name, e);
      }
    }
    return partitions;
  }

  static String location(Table table, HivePartition partition) {
    return withoutSlash(table.getSd().getLocation()) + "/" + partition.path();
  }

  static String withoutSlash(String location) {
    return location.endsWith("/") ? location.substring(0, location.length() - 1) : location;
  }
}
