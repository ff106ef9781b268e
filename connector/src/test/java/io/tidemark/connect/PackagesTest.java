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
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Compares the connector's packages with the tables of docs/ARCHITECTURE.md, in both directions.
 */
class PackagesTest {
  private static final String ROOT = "io.tidemark.connect";
  private static final Path DOCUMENT = Path.of("..", "docs", "ARCHITECTURE.md");

  // | `io.tidemark.store` | the port ... |
  private static final Pattern CORE_ROW =
      Pattern.compile("\\| `io\\.tidemark\\.connect\\.([a-z.]+)` \\| [^|]+ \\|");

  // | `io.tidemark.connect.hive` | `table`, `table.schema` | the Metastore |
  private static final Pattern ADAPTER_ROW =
      Pattern.compile("\\| `io\\.tidemark\\.connect\\.([a-z.]+)` \\| ([^|]*)\\| [^|]+ \\|");

  /** The packages of the core, in the order of the document. */
  private static final List<String> CORE = new ArrayList<>();

  /** The packages outside of the core, each with the packages that it may import. */
  private static final Map<String, List<String>> ADAPTERS = new TreeMap<>();

  static {
    try {
      for (String line : Files.readAllLines(DOCUMENT)) {
        Matcher core = CORE_ROW.matcher(line);
        Matcher adapter = ADAPTER_ROW.matcher(line);
        if (core.matches()) {
          CORE.add(core.group(1));
        } else if (adapter.matches()) {
          ADAPTERS.put(
              adapter.group(1),
              Pattern.compile("`([a-z.]+)`")
                  .matcher(adapter.group(2))
                  .results()
                  .map(name -> name.group(1))
                  .toList());
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages(ROOT);

  @Test
  void documentHasThePackagesThatThereAreAndNoOther() {
    Set<String> documented = new TreeSet<>(CORE);
    documented.addAll(ADAPTERS.keySet());
    Set<String> found = new TreeSet<>();
    for (JavaClass each : CLASSES) {
      if (!each.getPackageName().equals(ROOT)) {
        found.add(each.getPackageName().substring(ROOT.length() + 1));
      }
    }
    assertThat(documented).isEqualTo(found);
    assertThat(CORE).doesNotHaveDuplicates().doesNotContainAnyElementsOf(ADAPTERS.keySet());
    assertThat(ADAPTERS.values()).allSatisfy(imports -> assertThat(CORE).containsAll(imports));
  }

  @ParameterizedTest
  @MethodSource("core")
  void corePackageImportsOnlyWhatStandsAboveIt(String name) {
    check(onlyImports(name, CORE.subList(0, CORE.indexOf(name))));
  }

  static Stream<String> core() {
    return CORE.stream();
  }

  @ParameterizedTest
  @MethodSource("adapters")
  void packageBesideTheCoreImportsOnlyWhatTheDocumentNames(String name) {
    check(onlyImports(name, ADAPTERS.getOrDefault(name, List.of())));
  }

  static Stream<String> adapters() {
    return ADAPTERS.keySet().stream();
  }

  @ParameterizedTest
  @CsvSource({
    "commit",
    "commit.entry",
    "publish",
    "recovery",
  })
  void whatFollowsTheLogReachesNeitherStagingNorGeneratedCode(String name) {
    check(
        noClasses()
            .that()
            .resideInAPackage(ROOT + "." + name)
            .should()
            .transitivelyDependOnClassesThat()
            .resideInAnyPackage(
                ROOT + ".staging..",
                ROOT + ".pipeline..",
                ROOT + ".routing..",
                "io.tidemark.avro.codegen.."));
  }

  @ParameterizedTest
  @CsvSource({
    "hdfs,  'org.apache.hadoop.fs.., org.apache.hadoop.hdfs.., org.apache.hadoop.conf..,"
        + " org.apache.hadoop.ipc.., org.apache.hadoop.security..'",
    "hive,  'org.apache.hadoop.hive.., org.apache.thrift.., com.facebook..'",
    "kafka, 'org.apache.kafka.clients.admin..'",
    "'',    'org.apache.kafka.connect..'"
  })
  void librariesOfServicesStayInOnePackage(String name, String libraries) {
    check(
        noClasses()
            .that()
            .resideOutsideOfPackage(name.isEmpty() ? ROOT : ROOT + "." + name)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(libraries.split(", ", -1)));
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

  @Test
  void coreKnowsNoFormatOfFiles() {
    check(
        noClasses()
            .that()
            .resideInAnyPackage(CORE.stream().map(name -> ROOT + "." + name).toArray(String[]::new))
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.tidemark.avro.file..", ROOT + ".format.avro.."));
  }

  private static ArchRule onlyImports(String name, List<String> allowed) {
    String[] imports =
        Stream.concat(Stream.of(name), allowed.stream())
            .map(each -> ROOT + "." + each)
            .toArray(String[]::new);
    return classes()
        .that()
        .resideInAPackage(ROOT + "." + name)
        .should()
        .onlyDependOnClassesThat(
            JavaClass.Predicates.resideOutsideOfPackage(ROOT + "..")
                .or(JavaClass.Predicates.resideInAnyPackage(imports)));
  }

  private static void check(ArchRule rule) {
    rule.check(CLASSES);
  }
}
