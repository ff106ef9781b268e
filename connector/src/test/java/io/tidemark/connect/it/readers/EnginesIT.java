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
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The tables of {@link ReadersIT}, as Trino and Spark 4.1 show them. {@code mvn verify
 * -Preaders,engines} runs it. It needs Java 25 in the directory of this Java or of {@code
 * JAVA_HOME}.
 */
@Tag("readers")
@Tag("engines")
@Tag("long")
final class EnginesIT {

  private static final String NAME = "EnginesIT";
  private static final int JAVA_OF_TRINO = 25;
  private static final String TRINO = "Trino";
  private static final String SPARK_METASTORE = "Spark 4.1, with the Metastore";
  private static final String SPARK_FILES = "Spark 4.1, from files";
  private static final List<String> READERS = List.of(TRINO, SPARK_METASTORE, SPARK_FILES);

  private static RealStack stack;
  private static Matrix matrix;

  @BeforeAll
  static void landAndRead() throws IOException {
    JavaInstallation java =
        JavaInstallation.atLeast(JAVA_OF_TRINO)
            .orElseThrow(
                () ->
                    new AssertionError(
                        "Trino needs Java 25 or later, and none is installed next to this Java"
                            + " or in JAVA_HOME. Install a JDK 25"));
    Path directory = Files.createDirectories(Path.of("target", "engines"));
    stack = RealStack.start(Releases.USUAL, JavaInstallation.ofThisJvm());
    try {
      Landing landing = new Landing(stack, directory);
      landing.land(Matrix.AS_IS);
      landing.land(Matrix.HIVE);
      landing.land(Matrix.RECORDS);
      matrix = Matrix.of(landing);
      Programs programs = new Programs(directory);
      readTrino(programs, java);
      readSpark(programs);
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

  private static List<Entry> inHive() {
    return matrix.all().stream().filter(each -> each.table().isInHive()).toList();
  }

  private static void readTrino(Programs programs, JavaInstallation java) throws IOException {
    List<String> tables = inHive().stream().map(each -> each.table().name()).toList();
    Iterator<JsonNode> answers =
        programs.trino(java, stack.services().metastore().uris(), tables).iterator();
    inHive().forEach(each -> each.add(TRINO, answers.next()));
  }

  private static void readSpark(Programs programs) throws IOException {
    Map<String, String> settings = new HashMap<>(Programs.metastoreClient());
    settings.put("spark.hadoop.hive.metastore.uris", stack.services().metastore().uris());
    List<String> tables = new ArrayList<>();
    for (Entry each : matrix.all()) {
      tables.add(
          stack.services().hdfs().uri()
              + each.table().table().root()
              + "="
              + each.table().schemaFile());
    }
    inHive().forEach(each -> tables.add(each.table().name()));
    Iterator<JsonNode> answers =
        programs.spark("spark-4.1", "spark-4.1", settings, tables).iterator();
    matrix.all().forEach(each -> each.add(SPARK_FILES, answers.next()));
    inHive().forEach(each -> each.add(SPARK_METASTORE, answers.next()));
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
      // Trino leaves out the column of the type null.
      if (each.table().isInHive() && !each.table().kind().equals("no-type")) {
        assertThat(each.compared().wrong(TRINO)).as(each.table().name()).isEmpty();
      }
      if (each.answers().containsKey(SPARK_FILES)) {
        assertThat(each.compared().wrong(SPARK_FILES)).as(each.table().name()).isEmpty();
      }
    }
  }

  @Test
  void typesHiveLetsTrinoShowEachValueByItsMeaning() {
    assertThat(matrix.of(Matrix.HIVE, "each-type").compared().withoutMeaning(TRINO))
        .containsExactly("duration", "time-micros", "time-millis");
    for (String kind : List.of("large-decimal", "several-types", "many-columns")) {
      assertThat(matrix.of(Matrix.HIVE, kind).compared().withoutMeaning(TRINO)).as(kind).isEmpty();
    }
  }

  @Test
  void everyEngineShowsUnionsAsRecordsAndRecursionAsJson() {
    for (Entry each : matrix.all(Matrix.RECORDS)) {
      for (String reader : READERS) {
        String place = reader + ", " + each.table().name();
        assertThat(each.compared().answer(reader).errors()).as(place).isEmpty();
        assertThat(each.compared().wrong(reader)).as(place).isEmpty();
      }
    }
  }

  @Test
  void uuidOnFixedFailsInTrinoOnlyIfItIsSelected() {
    Answer answer = matrix.of(Matrix.AS_IS, "each-type").compared().answer(TRINO);
    assertThat(answer.errors()).containsOnlyKeys("uuid_on_fixed");
  }

  @Test
  void documentHasTheTableOfTypesAsReadersShowThem() throws IOException {
    matrix.assertInDocument(NAME, READERS);
  }
}
