package io.tidemark.connect;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The order of the packages: each imports what stands above it, never what stands below. */
class PackagesTest {
  private static final String ROOT = "io.tidemark.connect";

  /** The packages in the order in which a record flows. */
  private static final List<String> CORE =
      List.of(
          "storage",
          "table.schema",
          "table.partition",
          "table",
          "batch",
          "staging",
          "commit.entry",
          "commit",
          "publish",
          "ledger",
          "recovery",
          "pipeline");

  /** The adapters, each with the packages whose ports it implements; metrics know none of them. */
  private static final Map<String, List<String>> ADAPTERS =
      Map.of(
          "hdfs", List.of("storage"),
          "local", List.of("storage"),
          "hive", List.of("table", "table.schema", "table.partition"),
          "kafka", List.of("commit", "commit.entry"),
          "metrics", List.of());

  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages(ROOT);

  @Test
  void everyPackageHasItsPlaceInTheOrder() {
    Set<String> placed = new TreeSet<>(CORE);
    placed.addAll(ADAPTERS.keySet());
    Set<String> found = new TreeSet<>();
    for (JavaClass each : CLASSES) {
      if (!each.getPackageName().equals(ROOT)) {
        found.add(each.getPackageName().substring(ROOT.length() + 1));
      }
    }
    assertThat(placed).containsAll(found);
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
  void adapterImportsOnlyItsPort(String name) {
    check(onlyImports(name, ADAPTERS.getOrDefault(name, List.of())));
  }

  static Stream<String> adapters() {
    return ADAPTERS.keySet().stream().sorted();
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
                .or(JavaClass.Predicates.resideInAnyPackage(imports)))
        .allowEmptyShould(true);
  }

  private static void check(ArchRule rule) {
    rule.check(CLASSES);
  }
}
