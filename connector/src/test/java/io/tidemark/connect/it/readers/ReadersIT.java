package io.tidemark.connect.it.readers;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.connect.it.landed.LandedTable;
import io.tidemark.connect.it.stack.ConnectorSettings;
import io.tidemark.connect.it.stack.Deployment;
import io.tidemark.connect.it.stack.Readings;
import io.tidemark.connect.it.stack.RealStack;
import io.tidemark.connect.it.stack.SourceTopic;
import io.tidemark.stack.JavaInstallation;
import io.tidemark.stack.release.Releases;
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
import java.util.stream.LongStream;
import org.apache.avro.Schema;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * An evolved table with Hive partitions and every type of Avro, as HiveServer2, Spark, fastavro and
 * Avro's own library show it. {@code mvn verify -Preaders} runs it, with the first {@code python3}
 * on the PATH.
 */
@Tag("readers")
final class ReadersIT {

  private static final String HIVE = "Hive";
  private static final String SPARK_METASTORE = "Spark, with the Metastore";
  private static final String SPARK_FILES = "Spark, from files";
  private static final String FASTAVRO = "fastavro";
  private static final String AVRO = "Avro for Java";
  private static final List<String> READERS =
      List.of(HIVE, SPARK_METASTORE, SPARK_FILES, FASTAVRO, AVRO);

  /** The number of rows of each version of the table. It is high enough for every value. */
  static final int ROWS = 10;

  private static final Instant NOON = Instant.parse("2026-11-20T12:00:00Z");
  private static final List<String> DAYS = List.of("2026-11-20", "2026-11-21");
  private static final String DAY = "dt";

  private static RealStack stack;
  private static Path directory;
  private static Seen seen;

  /**
   * The tables as the readers show them.
   *
   * @param table the table of every type
   * @param several the table with a column of several types
   * @param nothing the table with a column of the type null
   * @param withoutSchema Spark's answer about the second table, from files without the table's
   *     schema
   * @param severalOfMetastore Spark's answer about the second table, by the Metastore
   * @param withItsOwnClient Spark's answer with its own client of the Metastore
   * @param nothingInHive the reason why Hive does not read the third table
   */
  private record Seen(
      TypesTable.Table table,
      TypesTable.Table several,
      TypesTable.Table nothing,
      JsonNode withoutSchema,
      JsonNode severalOfMetastore,
      JsonNode withItsOwnClient,
      String nothingInHive) {}

  @BeforeAll
  static void landAndRead() throws IOException {
    directory = Files.createDirectories(Path.of("target", "readers"));
    stack = RealStack.start(Releases.USUAL, JavaInstallation.ofThisJvm());
    seen = seen();
  }

  private static Seen seen() throws IOException {
    try {
      return read(
          landed("every-type", EveryType.columns()),
          landed("several-types", EveryType.unions()),
          landed("no-type", EveryType.nothing()));
    } catch (AssertionError | RuntimeException e) {
      throw new AssertionError(e.getMessage() + "\n" + stack.report(), e);
    }
  }

  @AfterAll
  static void stop() {
    if (stack != null) {
      stack.close();
    }
  }

  /** Lands rows of both versions of a table, the second after the first has landed. */
  private static LandedTable landed(String name, List<TypedColumn> columns) {
    SourceTopic topic = stack.topic(name, 1);
    produce(stack, topic, columns, true);
    Deployment connector =
        stack.deploy(
            ConnectorSettings.of(name, topic)
                .with("partitioner.class", "TimeBasedPartitioner")
                .with("path.format", "'dt'=yyyy-MM-dd")
                .with("partition.duration.ms", 86_400_000)
                // On a busy machine a service may take longer to answer.
                .with("validation.connect", "false"));
    connector.awaitLanded();
    produce(stack, topic, columns, false);
    connector.awaitLanded();
    return connector.table(topic);
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

  private static Seen read(LandedTable types, LandedTable several, LandedTable nothing)
      throws IOException {
    Programs programs = new Programs(directory);
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("spark.hadoop.hive.metastore.uris", stack.services().metastore().uris());
    List<JsonNode> withItsOwnClient =
        programs.spark("spark-own-client", settings, List.of(unquoted(types)));
    settings.putAll(Programs.metastoreClient());
    List<JsonNode> spark =
        programs.spark(
            "spark",
            settings,
            List.of(
                unquoted(types),
                url(types) + "=" + schemaOf(types),
                unquoted(several),
                url(several) + "=" + schemaOf(several),
                url(several),
                unquoted(nothing),
                url(nothing) + "=" + schemaOf(nothing)));
    Map<String, Answer> ofTypes = answers(programs, types);
    ofTypes.put(HIVE, ofHive(types, EveryType.columns()));
    ofTypes.put(SPARK_METASTORE, Answer.of(spark.get(0)));
    ofTypes.put(SPARK_FILES, Answer.of(spark.get(1)));
    Map<String, Answer> ofSeveral = answers(programs, several);
    ofSeveral.put(HIVE, ofHive(several, EveryType.unions()));
    ofSeveral.put(SPARK_FILES, Answer.of(spark.get(3)));
    Map<String, Answer> ofNothing = answers(programs, nothing);
    ofNothing.put(SPARK_METASTORE, Answer.of(spark.get(5)));
    ofNothing.put(SPARK_FILES, Answer.of(spark.get(6)));
    return new Seen(
        new TypesTable.Table(EveryType.columns(), ROWS, ofTypes),
        new TypesTable.Table(EveryType.unions(), ROWS, ofSeveral),
        new TypesTable.Table(EveryType.nothing(), ROWS, ofNothing),
        spark.get(4),
        spark.get(2),
        withItsOwnClient.get(0),
        refusal(nothing));
  }

  private static Answer ofHive(LandedTable landed, List<TypedColumn> columns) {
    return HiveReader.read(landed::query, landed.name(), columns);
  }

  private static String refusal(LandedTable landed) {
    try {
      return "Hive answers " + landed.query("SELECT * FROM " + landed.name());
    } catch (IllegalStateException e) {
      return String.valueOf(e.getCause());
    }
  }

  /** The answers of the readers that read files only. */
  private static Map<String, Answer> answers(Programs programs, LandedTable landed)
      throws IOException {
    Schema schema = landed.inCatalog().orElseThrow().schema();
    List<Path> files = files(landed);
    Map<String, Answer> answers = new LinkedHashMap<>();
    answers.put(FASTAVRO, programs.fastavro(schemaOf(landed), files));
    answers.put(AVRO, AvroReader.read(schema, files));
    return answers;
  }

  private static String unquoted(LandedTable table) {
    return table.name().replace("`", "");
  }

  private static String url(LandedTable table) {
    return stack.services().hdfs().uri() + table.root();
  }

  /** The table's schema in the Metastore, written to a file. */
  private static Path schemaOf(LandedTable landed) throws IOException {
    Path file = directory.resolve(unquoted(landed) + ".avsc").toAbsolutePath();
    return Files.writeString(file, landed.inCatalog().orElseThrow().schema().toString());
  }

  /** The table's files, copied from HDFS. */
  private static List<Path> files(LandedTable landed) throws IOException {
    List<Path> files = new ArrayList<>();
    for (String path : new TreeSet<>(landed.published().keySet())) {
      Path file = directory.resolve(unquoted(landed) + "-" + files.size() + ".avro");
      files.add(Files.write(file, stack.services().hdfs().files().read(path)));
    }
    assertThat(files).as("two versions, in two Hive partitions").hasSizeGreaterThan(3);
    return files;
  }

  @Test
  void everyReaderFindsEachRowOnce() {
    List<Long> produced = LongStream.range(0, 2 * ROWS).boxed().toList();
    for (String reader : READERS) {
      assertThat(seen.table().answer(reader).rows()).as(reader).containsOnlyKeys(produced);
    }
  }

  @Test
  void everyValueIsShownAsItIsMeantOrAsItIsStored() {
    for (String reader : List.of(HIVE, SPARK_FILES, FASTAVRO, AVRO)) {
      assertThat(seen.table().wrong(reader)).as(reader).isEmpty();
    }
  }

  @Test
  void sparkThroughTheMetastoreMovesDatesAndTimesBefore1582AndNothingElse() {
    assertThat(seen.table().wrong(SPARK_METASTORE)).containsOnlyKeys("date", "timestamp-millis");
    assertThat(seen.table().wrong(SPARK_METASTORE).values())
        .allSatisfy(
            values -> assertThat(values).allMatch(value -> value.matches("(0001|1500|1582)-.*")));
  }

  @Test
  void hivePartitionOfARowIsAColumn() {
    for (String reader : List.of(HIVE, SPARK_METASTORE, SPARK_FILES)) {
      seen.table()
          .answer(reader)
          .rows()
          .forEach(
              (seq, row) ->
                  assertThat(Objects.requireNonNull(row.get(DAY)).textValue())
                      .as("%s, row %d", reader, seq)
                      .isEqualTo(
                          (reader.equals(SPARK_FILES) ? "date " : "text ")
                              + DAYS.get((int) (seq % DAYS.size()))));
    }
  }

  @Test
  void documentHasTheTableOfTypesAsReadersShowThem() throws IOException {
    new TypesTable(seen.table(), seen.nothing(), seen.several()).assertInDocument(READERS);
  }

  @Test
  void sparksOwnMetastoreClientDoesNotKnowTheMetastoresCalls() {
    assertThat(seen.withItsOwnClient().path("error").asText())
        .contains("Invalid method name: 'get_table'");
  }

  @Test
  void sparkLeavesOutColumnsInSilenceWithoutTheTablesSchema() {
    assertThat(seen.withoutSchema().path("rows")).hasSize(2 * ROWS);
    assertThat(seen.withoutSchema().path("types").has("added_nullable")).isFalse();
  }

  @Test
  void columnOfSeveralTypesMakesATableUnreadableForSparkThroughTheMetastore() {
    assertThat(seen.severalOfMetastore().path("error").asText())
        .contains("CANNOT_RECOGNIZE_HIVE_TYPE")
        .containsIgnoringCase("uniontype");
  }

  @Test
  void columnOfTheTypeNullMakesATableUnreadableForHive() {
    assertThat(seen.nothingInHive()).contains("void not supported yet");
  }
}
