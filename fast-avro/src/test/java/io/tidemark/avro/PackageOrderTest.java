package io.tidemark.avro;

import static com.tngtech.archunit.library.Architectures.layeredArchitecture;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** A package imports what a record passes before it, never what comes after. */
@AnalyzeClasses(packages = "io.tidemark.avro", importOptions = DoNotIncludeTests.class)
final class PackageOrderTest {

  @ArchTest
  static final ArchRule packagesImportOnlyWhatStandsAboveThem =
      layeredArchitecture()
          .consideringOnlyDependenciesInLayers()
          .layer("binary")
          .definedBy("io.tidemark.avro.binary")
          .layer("step")
          .definedBy("io.tidemark.avro.plan.step")
          .layer("plan")
          .definedBy("io.tidemark.avro.plan")
          .layer("codegen")
          .definedBy("io.tidemark.avro.codegen")
          .layer("object")
          .definedBy("io.tidemark.avro.object")
          .layer("file")
          .definedBy("io.tidemark.avro.file")
          .whereLayer("binary")
          .mayOnlyBeAccessedByLayers("plan", "codegen", "file")
          .whereLayer("step")
          .mayOnlyBeAccessedByLayers("plan", "codegen")
          .whereLayer("plan")
          .mayOnlyBeAccessedByLayers("codegen", "file")
          .whereLayer("codegen")
          .mayOnlyBeAccessedByLayers("object", "file")
          .whereLayer("object")
          .mayOnlyBeAccessedByLayers("file")
          .whereLayer("file")
          .mayNotBeAccessedByAnyLayer();
}
