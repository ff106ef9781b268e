package io.tidemark.connect.it.readers;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.connect.it.landed.LandedTable;
import io.tidemark.connect.it.stack.ConnectorSettings;
import io.tidemark.connect.it.stack.Deployment;
import io.tidemark.connect.it.stack.Readings;
import io.tidemark.connect.it.stack.RealStack;
import io.tidemark.connect.it.stack.SourceTopic;
import io.tidemark.stack.Polling;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * The tables that readers read: the columns of {@link EveryType}, with the settings of {@link
 * Matrix}, with rows of two versions of their schema in two Hive partitions.
 */
final class Landing {

  /** The number of rows of each version of a table. It is high enough for every value. */
  static final int ROWS = 10;

  static final List<String> DAYS = List.of("2026-11-20", "2026-11-21");

  private static final Instant NOON = Instant.parse("2026-11-20T12:00:00Z");
  private static final String SEVERAL = "several-types";
  private static final String RECURSIVE = "recursive";

  private static final Map<String, List<TypedColumn>> KINDS = kinds();

  private final RealStack stack;
  private final Path directory;

  /**
   * A landed table.
   *
   * @param kind the group of its columns, such as {@code each-type}
   * @param columns what readers have to show
   * @param schema the newest schema of its files
   * @param schemaFile a file with it
   * @param files copies of its files
   * @param isInHive false for records that contain themselves, as they are
   */
  record ReadTable(
      String kind,
      List<TypedColumn> columns,
      LandedTable table,
      Schema schema,
      Path schemaFile,
      List<Path> files,
      boolean isInHive) {

    /** Its name in Hive for programs. Example: {@code landed.as_is_each_type}. */
    String name() {
      return table.name().replace("`", "");
    }
  }

  /**
   * Tables of a stack.
   *
   * @param directory for copies of their files
   */
  Landing(RealStack stack, Path directory) {
    this.stack = stack;
    this.directory = directory.toAbsolutePath();
  }

  private static Map<String, List<TypedColumn>> kinds() {
    Map<String, List<TypedColumn>> kinds = new LinkedHashMap<>();
    kinds.put("each-type", EveryType.columns());
    kinds.put("large-decimal", EveryType.large());
    kinds.put("no-type", EveryType.nothing());
    kinds.put(SEVERAL, EveryType.unions());
    kinds.put(RECURSIVE, EveryType.recursive());
    kinds.put("many-columns", EveryType.many());
    return kinds;
  }

  private static List<String> kinds(String types) {
    return types.equals(Matrix.RECORDS) ? List.of(SEVERAL, RECURSIVE) : List.copyOf(KINDS.keySet());
  }

  /** Lands all tables with some settings. */
  void land(String types) {
    Map<String, SourceTopic> topics = new LinkedHashMap<>();
    kinds(types).forEach(kind -> topics.put(kind, stack.topic(topicOf(types, kind), 1)));
    topics.forEach((kind, topic) -> produce(stack, topic, columns(kind), true));
    boolean records = types.equals(Matrix.RECORDS);
    Map<String, String> settings =
        Map.of(
            "types", records ? Matrix.AS_IS : types,
            "types.union", records ? "record" : "",
            "types.recursion", records ? "json" : "",
            "types.inexact", "truncate",
            "partitioner.class", "TimeBasedPartitioner",
            "path.format", "'dt'=yyyy-MM-dd",
            "partition.duration.ms", "86400000",
            // On a busy machine a service may take longer to answer.
            "validation.connect", "false");
    SourceTopic recursive = Objects.requireNonNull(topics.remove(RECURSIVE));
    List<SourceTopic> others = List.copyOf(topics.values());
    Deployment inHive = stack.deploy(new ConnectorSettings(types, others, settings));
    Deployment outside =
        stack.deploy(
            new ConnectorSettings(types + "-outside", List.of(recursive), settings)
                .with("hive.integration", String.valueOf(records)));
    inHive.awaitLanded();
    awaitPublished(outside, recursive);
    topics.forEach((kind, topic) -> produce(stack, topic, columns(kind), false));
    produce(stack, recursive, columns(RECURSIVE), false);
    inHive.awaitLanded();
    awaitPublished(outside, recursive);
    inHive.delete();
    outside.delete();
  }

  /** The landed tables with some settings, by their kinds. */
  Map<String, ReadTable> tables(String types) throws IOException {
    Map<String, ReadTable> tables = new LinkedHashMap<>();
    boolean records = types.equals(Matrix.RECORDS);
    for (String kind : kinds(types)) {
      boolean isInHive = records || !kind.equals(RECURSIVE);
      Stream<TypedColumn> columns = columns(kind).stream();
      if (records) {
        columns = columns.map(TypedColumn::underRecords);
      } else if (types.equals(Matrix.HIVE) && isInHive) {
        columns = columns.map(TypedColumn::underHive);
      }
      LandedTable table = new LandedTable(stack.services(), topicOf(types, kind));
      tables.put(kind, read(kind, columns.toList(), table, isInHive));
    }
    return tables;
  }

  private static String topicOf(String types, String kind) {
    return types + "-" + kind;
  }

  private static List<TypedColumn> columns(String kind) {
    return KINDS.getOrDefault(kind, List.of());
  }

  private static void awaitPublished(Deployment connector, SourceTopic topic) {
    Polling.until(
        topic.name() + " is published",
        RealStack.DEADLINE,
        () -> {
          connector.requireNoFailure();
          return connector
              .shortfall(topic)
              .or(() -> connector.table(topic).unpublished(connector.log(topic)));
        });
  }

  static void produce(
      RealStack stack, SourceTopic topic, List<TypedColumn> columns, boolean first) {
    Schema schema = EveryType.schema("Row", columns, first);
    int id = stack.register(topic.name(), schema);
    for (long seq = first ? 0 : ROWS; seq < (first ? ROWS : 2 * ROWS); seq++) {
      long time = NOON.toEpochMilli() + 86_400_000 * (seq % DAYS.size());
      byte[] value = Readings.framed(id, EveryType.row(schema, columns, first, seq));
      topic.sendRaw(new ProducerRecord<>(topic.name(), 0, time, null, value));
    }
  }

  private ReadTable read(
      String kind, List<TypedColumn> columns, LandedTable table, boolean isInHive)
      throws IOException {
    String name = table.name().replaceAll(".*\\.`|`", "");
    List<Path> files = new ArrayList<>();
    for (String path : new TreeSet<>(table.published().keySet())) {
      Path file = directory.resolve(name + "-" + files.size() + ".avro");
      files.add(Files.write(file, stack.services().hdfs().files().read(path)));
    }
    assertThat(files).as("two versions, in two Hive partitions").hasSizeGreaterThan(3);
    Schema schema = newestSchema(table);
    Path schemaFile = Files.writeString(directory.resolve(name + ".avsc"), schema.toString());
    return new ReadTable(kind, columns, table, schema, schemaFile, files, isInHive);
  }

  /** The schema of the file with the highest number, as docs/READERS.md describes it. */
  private Schema newestSchema(LandedTable table) throws IOException {
    String newest =
        stack.services().hdfs().files().walk(table.root() + "/.tidemark/schemas").stream()
            .map(file -> file.path())
            .filter(path -> path.endsWith(".avsc"))
            .max(String::compareTo)
            .orElseThrow();
    byte[] json = stack.services().hdfs().files().read(newest);
    return new Schema.Parser().parse(new String(json, java.nio.charset.StandardCharsets.UTF_8));
  }
}
