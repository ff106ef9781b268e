package io.tidemark.connect;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Compares the packages of store, completeness and connector with the tables of
 * docs/ARCHITECTURE.md, in both directions.
 */
class PackagesTest {
  private static final String ROOT = "io.tidemark.connect";
  private static final List<String> ROOTS =
      List.of("io.tidemark.partitioner", "io.tidemark.store", "io.tidemark.completeness", ROOT);
  private static final Path DOCUMENT = Path.of("..", "docs", "ARCHITECTURE.md");

  // | `io.tidemark.store.log` | numbered entries ... |
  private static final Pattern ROW =
      Pattern.compile(
          "\\| `(io\\.tidemark\\.(partitioner|store|completeness|connect)[a-z.]*)` \\| [^|]+ \\|");

  /** The most packages of the three modules, with that of the connector and its task. */
  private static final int MOST = 24;

  /** The packages, in the order of the document. */
  private static final List<String> PACKAGES = new ArrayList<>();

  static {
    try {
      for (String line : Files.readAllLines(DOCUMENT)) {
        Matcher row = ROW.matcher(line);
        if (row.matches()) {
          PACKAGES.add(row.group(1));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages(ROOTS);

  @Test
  void documentHasThePackagesThatThereAreAndNoOther() {
    Set<String> found = new TreeSet<>();
    for (JavaClass each : CLASSES) {
      if (!each.getPackageName().equals(ROOT)) {
        found.add(each.getPackageName());
      }
    }
    assertThat(new TreeSet<>(PACKAGES)).isEqualTo(found);
    assertThat(PACKAGES).doesNotHaveDuplicates().hasSizeLessThan(MOST);
  }

  @ParameterizedTest
  @MethodSource("packages")
  void packageImportsOnlyWhatStandsAboveIt(String name) {
    check(onlyImports(name, PACKAGES.subList(0, PACKAGES.indexOf(name) + 1)));
  }

  static Stream<String> packages() {
    return PACKAGES.stream();
  }

  @ParameterizedTest
  @CsvSource({
    "io.tidemark.store..,       'org.apache.kafka.., org.apache.hadoop.., org.apache.thrift..'",
    "io.tidemark.completeness.., 'org.apache.kafka.., org.apache.hadoop.., org.apache.thrift..'",
    "io.tidemark.store.commit,  'io.tidemark.avro.codegen..'",
    "io.tidemark.store.publish, 'io.tidemark.avro.codegen..'",
  })
  void packageReachesNoneOfThese(String name, String libraries) {
    check(
        noClasses()
            .that()
            .resideInAPackage(name)
            .should()
            .transitivelyDependOnClassesThat()
            .resideInAnyPackage(libraries.split(", ", -1)));
  }

  @ParameterizedTest
  @CsvSource({
    "io.tidemark.connect.hdfs,  'org.apache.hadoop.fs.., org.apache.hadoop.hdfs..,"
        + " org.apache.hadoop.conf.., org.apache.hadoop.ipc.., org.apache.hadoop.security..'",
    "io.tidemark.connect.hive,  'org.apache.hadoop.hive.., org.apache.thrift.., com.facebook..'",
    "io.tidemark.connect.kafka, 'org.apache.kafka.clients.admin..'",
    "io.tidemark.connect,       'org.apache.kafka.connect..'"
  })
  void librariesStayInOnePackage(String name, String libraries) {
    check(
        noClasses()
            .that()
            .resideOutsideOfPackage(name)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(libraries.split(", ", -1)));
  }

  /** Validation has the names and levels of the codecs from the library. */
  @Test
  void onlyTheFormatAndValidationKnowTheLibrarysFiles() {
    check(
        noClasses()
            .that()
            .resideOutsideOfPackages("io.tidemark.store.file", ROOT + ".config")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("io.tidemark.avro.file.."));
  }

  @Test
  void intervalsPausesAndDeadlinesDoNotGoByTheWallClock() {
    check(
        noClasses()
            .should()
            .callMethod(Clock.class, "millis")
            .orShould()
            .callMethod(System.class, "currentTimeMillis")
            .orShould()
            .callMethod(Instant.class, "now"));
  }

  private static ArchRule onlyImports(String name, List<String> allowed) {
    return classes()
        .that()
        .resideInAPackage(name)
        .should()
        .onlyDependOnClassesThat(
            JavaClass.Predicates.resideOutsideOfPackages(
                    ROOTS.stream().map(root -> root + "..").toArray(String[]::new))
                .or(JavaClass.Predicates.resideInAnyPackage(allowed.toArray(String[]::new))));
  }

  private static void check(ArchRule rule) {
    rule.check(CLASSES);
  }
}
