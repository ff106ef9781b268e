package io.tidemark.connect.it.readers;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.connect.it.readers.Matrix.Entry;
import io.tidemark.connect.it.stack.RealStack;
import io.tidemark.stack.JavaInstallation;
import io.tidemark.stack.release.Releases;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Evolved tables with Hive partitions and every type of Avro, as HiveServer2, Spark, fastavro,
 * Avro's own library, DuckDB and Polars show them. {@code mvn verify -Preaders} runs it, with the
 * first {@code python3} on the PATH.
 */
@Tag("readers")
final class ReadersIT {

  private static final String NAME = "ReadersIT";
  private static final String HIVE = "Hive";
  private static final String SPARK_METASTORE = "Spark, with the Metastore";
  private static final String SPARK_FILES = "Spark, from files";
  private static final String FASTAVRO = "fastavro";
  private static final String AVRO = "Avro for Java";
  private static final String DUCKDB = "DuckDB";
  private static final String POLARS = "Polars";
  private static final List<String> READERS =
      List.of(HIVE, SPARK_METASTORE, SPARK_FILES, FASTAVRO, AVRO, DUCKDB, POLARS);

  private static final String DAY = "dt";

  private static RealStack stack;
  private static Matrix matrix;

  private static Others others;

  /**
   * What readers answer that do not read as they should.
   *
   * @param withoutSchema Spark's answer about the table of several types, from files without the
   *     table's schema
   * @param withItsOwnClient Spark's answer with its own client of the Metastore
   * @param fromList DuckDB's answer about the table of several types, from a list of files
   */
  private record Others(JsonNode withoutSchema, JsonNode withItsOwnClient, Answer fromList) {}

  @BeforeAll
  static void landAndRead() throws IOException {
    Path directory = Files.createDirectories(Path.of("target", "readers"));
    stack = RealStack.start(Releases.USUAL, JavaInstallation.ofThisJvm());
    try {
      Landing landing = new Landing(stack, directory);
      landing.land(Matrix.AS_IS);
      landing.land(Matrix.HIVE);
      landing.land(Matrix.RECORDS);
      matrix = Matrix.of(landing);
      others = read(new Programs(directory));
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

  private static Others read(Programs programs) throws IOException {
    for (Entry each : matrix.all()) {
      if (each.table().isInHive()) {
        readHive(each);
      }
      each.add(FASTAVRO, programs.fastavro(each.table().schemaFile(), each.table().files()));
      each.add(AVRO, AvroReader.read(each.table().schema(), each.table().files()));
      each.add(DUCKDB, programs.columns("duckdb", each.table()));
      each.add(POLARS, programs.columns("polars", each.table()));
    }
    return readSpark(programs);
  }

  private static void readHive(Entry entry) {
    try {
      entry.add(
          HIVE,
          HiveReader.read(
              entry.table().table()::query, entry.table().table().name(), entry.table().columns()));
    } catch (IllegalStateException e) {
      entry.errors().put(HIVE, String.valueOf(e.getCause()));
    }
  }

  private static Others readSpark(Programs programs) throws IOException {
    Entry types = matrix.of(Matrix.AS_IS, "each-type");
    Entry several = matrix.of(Matrix.AS_IS, "several-types");
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("spark.hadoop.hive.metastore.uris", stack.services().metastore().uris());
    JsonNode withItsOwnClient =
        programs
            .spark("spark-3.5", "spark-own-client", settings, List.of(types.table().name()))
            .get(0);
    settings.putAll(Programs.metastoreClient());
    List<String> tables = new ArrayList<>(List.of(url(several)));
    for (Entry each : matrix.all()) {
      tables.add(url(each) + "=" + each.table().schemaFile());
      if (each.table().isInHive()) {
        tables.add(each.table().name());
      }
    }
    Iterator<JsonNode> answers = programs.spark("spark-3.5", "spark", settings, tables).iterator();
    JsonNode withoutSchema = answers.next();
    for (Entry each : matrix.all()) {
      each.add(SPARK_FILES, answers.next());
      if (each.table().isInHive()) {
        each.add(SPARK_METASTORE, answers.next());
      }
    }
    return new Others(
        withoutSchema, withItsOwnClient, programs.columns("duckdb-list", several.table()));
  }

  private static String url(Entry entry) {
    return stack.services().hdfs().uri() + entry.table().table().root();
  }

  @Test
  void everyReaderFindsEachRowOnce() {
    List<Long> produced = LongStream.range(0, 2 * Landing.ROWS).boxed().toList();
    for (Entry each : matrix.all()) {
      each.answers()
          .forEach(
              (reader, answer) ->
                  assertThat(answer.rows())
                      .as("%s, %s", reader, each.table().name())
                      .containsOnlyKeys(produced));
    }
  }

  @Test
  void everyValueIsShownAsItIsMeantOrAsItIsStored() {
    for (Entry each : matrix.all()) {
      for (String reader : List.of(HIVE, SPARK_FILES, FASTAVRO, AVRO)) {
        if (each.answers().containsKey(reader)) {
          assertThat(each.compared().wrong(reader))
              .as("%s, %s", reader, each.table().name())
              .isEmpty();
        }
      }
    }
  }

  @Test
  void typesHiveLetsHiveShowEachValueByItsMeaning() {
    assertThat(matrix.of(Matrix.HIVE, "each-type").compared().withoutMeaning(HIVE))
        .containsExactly("duration", "time-micros", "time-millis");
    for (String kind : List.of("large-decimal", "several-types", "many-columns")) {
      assertThat(matrix.of(Matrix.HIVE, kind).compared().withoutMeaning(HIVE)).as(kind).isEmpty();
    }
  }

  @Test
  void everyReaderOfHivesTablesShowsUnionsAsRecordsAndRecursionAsJson() {
    for (Entry each : matrix.all(Matrix.RECORDS)) {
      for (String reader : List.of(HIVE, SPARK_METASTORE, SPARK_FILES, FASTAVRO, AVRO)) {
        String place = reader + ", " + each.table().name();
        assertThat(each.compared().answer(reader).errors()).as(place).isEmpty();
        assertThat(each.compared().wrong(reader)).as(place).isEmpty();
      }
    }
  }

  @Test
  void sparkThroughTheMetastoreMovesDatesBefore1582AndTimesBeforeStandardTimeAndNothingElse() {
    assertThat(wrongInSpark(Matrix.AS_IS))
        .containsExactly("date before 1582-10-15", "timestamp-millis before 1582-10-15");
    assertThat(wrongInSpark(Matrix.HIVE))
        .containsExactly(
            "date before 1582-10-15",
            "local-timestamp-nanos",
            "timestamp-micros before 1582-10-15",
            "timestamp-millis before 1582-10-15",
            "timestamp-nanos");
    assertThat(matrix.of(Matrix.HIVE, "each-type").compared().wrong(SPARK_METASTORE))
        .containsEntry(
            "timestamp-nanos", Set.of("1678-01-01T00:00:00 is shown as 1677-12-31T23:56:02"));
  }

  private static Set<String> wrongInSpark(String types) {
    return matrix.of(types, "each-type").compared().wrong(SPARK_METASTORE).keySet();
  }

  @Test
  void hivePartitionOfARowIsAColumn() {
    for (String reader : List.of(HIVE, SPARK_METASTORE, SPARK_FILES)) {
      matrix
          .of(Matrix.AS_IS, "each-type")
          .compared()
          .answer(reader)
          .rows()
          .forEach(
              (seq, row) ->
                  assertThat(Objects.requireNonNull(row.get(DAY)).textValue())
                      .as("%s, row %d", reader, seq)
                      .isEqualTo(
                          (reader.equals(SPARK_FILES) ? "date " : "text ")
                              + Landing.DAYS.get((int) (seq % Landing.DAYS.size()))));
    }
  }

  @Test
  void documentHasTheTableOfTypesAsReadersShowThem() throws IOException {
    matrix.assertInDocument(NAME, READERS);
  }

  @Test
  void sparksOwnMetastoreClientDoesNotKnowTheMetastoresCalls() {
    assertThat(others.withItsOwnClient().path("error").asText())
        .contains("Invalid method name: 'get_table'");
  }

  @Test
  void sparkLeavesOutColumnsInSilenceWithoutTheTablesSchema() {
    assertThat(others.withoutSchema().path("rows")).hasSize(2 * Landing.ROWS);
    assertThat(others.withoutSchema().path("types").has("added_nullable")).isFalse();
  }

  @Test
  void duckDbLeavesOutColumnsInSilenceIfItReadsAListOfFiles() {
    assertThat(others.fromList().rows()).hasSize(2 * Landing.ROWS);
    assertThat(others.fromList().types()).doesNotContainKey("added_nullable");
  }

  @Test
  void columnOfSeveralTypesMakesATableUnreadableForSparkThroughTheMetastore() {
    assertThat(matrix.of(Matrix.AS_IS, "several-types").error(SPARK_METASTORE))
        .contains("CANNOT_RECOGNIZE_HIVE_TYPE")
        .containsIgnoringCase("uniontype");
  }

  @Test
  void columnOfTheTypeNullMakesATableUnreadableForHive() {
    assertThat(matrix.of(Matrix.AS_IS, "no-type").error(HIVE)).contains("void not supported yet");
  }
}
