package io.tidemark.registry;

import static com.tngtech.archunit.library.Architectures.layeredArchitecture;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.syntax.ArchRuleDefinition;

/** Checks the order of the packages, and the packages that the module may use. */
@AnalyzeClasses(
    packages = "io.tidemark.registry",
    importOptions = ImportOption.DoNotIncludeTests.class)
final class PackageOrderTest {

  @ArchTest
  static final ArchRule aPackageImportsOnlyWhatStandsAboveIt =
      layeredArchitecture()
          .consideringAllDependencies()
          .layer("registry")
          .definedBy("io.tidemark.registry")
          .layer("wire")
          .definedBy("io.tidemark.registry.wire")
          .layer("security")
          .definedBy("io.tidemark.registry.security")
          .layer("http")
          .definedBy("io.tidemark.registry.http")
          .layer("confluent")
          .definedBy("io.tidemark.registry.confluent")
          .layer("schemarepo")
          .definedBy("io.tidemark.registry.schemarepo")
          .layer("fingerprint")
          .definedBy("io.tidemark.registry.fingerprint")
          .layer("cache")
          .definedBy("io.tidemark.registry.cache")
          .layer("config")
          .definedBy("io.tidemark.registry.config")
          .layer("kafka")
          .definedBy("io.tidemark.registry.kafka")
          .whereLayer("kafka")
          .mayNotBeAccessedByAnyLayer()
          .whereLayer("config")
          .mayOnlyBeAccessedByLayers("kafka")
          .whereLayer("cache")
          .mayOnlyBeAccessedByLayers("config", "kafka")
          .whereLayer("fingerprint")
          .mayOnlyBeAccessedByLayers("config")
          .whereLayer("confluent")
          .mayOnlyBeAccessedByLayers("config", "kafka")
          .whereLayer("schemarepo")
          .mayOnlyBeAccessedByLayers("config")
          .whereLayer("http")
          .mayOnlyBeAccessedByLayers("confluent", "schemarepo", "config")
          .whereLayer("security")
          .mayOnlyBeAccessedByLayers("http", "confluent", "schemarepo", "config")
          .whereLayer("wire")
          .mayOnlyBeAccessedByLayers("config", "kafka");

  @ArchTest
  static final ArchRule knowsNeitherKafkaNorHadoop =
      ArchRuleDefinition.noClasses()
          .that()
          .resideOutsideOfPackage("io.tidemark.registry.kafka")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("org.apache.kafka..", "org.apache.hadoop..", "io.tidemark.connect..");
}
