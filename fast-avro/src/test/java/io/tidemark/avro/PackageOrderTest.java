package io.tidemark.avro;

import static com.tngtech.archunit.library.Architectures.layeredArchitecture;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** The order of the packages: each imports only packages that a record passes before it. */
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
          .layer("mapping")
          .definedBy("io.tidemark.avro.mapping")
          .layer("merge")
          .definedBy("io.tidemark.avro.merge")
          .layer("codegen.disk")
          .definedBy("io.tidemark.avro.codegen.disk")
          .layer("codegen")
          .definedBy("io.tidemark.avro.codegen")
          .layer("object.code")
          .definedBy("io.tidemark.avro.object.code")
          .layer("object.read")
          .definedBy("io.tidemark.avro.object.read")
          .layer("object.write")
          .definedBy("io.tidemark.avro.object.write")
          .layer("object")
          .definedBy("io.tidemark.avro.object")
          .layer("file.read")
          .definedBy("io.tidemark.avro.file.read")
          .layer("file.place")
          .definedBy("io.tidemark.avro.file.place")
          .layer("file")
          .definedBy("io.tidemark.avro.file")
          .whereLayer("binary")
          .mayOnlyBeAccessedByLayers(
              "plan", "mapping", "codegen", "object.read", "object", "file.read", "file")
          .whereLayer("step")
          .mayOnlyBeAccessedByLayers("plan", "mapping", "codegen")
          .whereLayer("plan")
          .mayOnlyBeAccessedByLayers("mapping", "merge", "codegen", "file.read", "file")
          .whereLayer("mapping")
          .mayOnlyBeAccessedByLayers("merge")
          .whereLayer("merge")
          .mayNotBeAccessedByAnyLayer()
          .whereLayer("codegen.disk")
          .mayOnlyBeAccessedByLayers("codegen", "object.code", "object")
          .whereLayer("codegen")
          .mayOnlyBeAccessedByLayers("object.code", "object.read", "object.write", "object", "file")
          .whereLayer("object.code")
          .mayOnlyBeAccessedByLayers("object.read", "object.write", "object")
          .whereLayer("object.read")
          .mayOnlyBeAccessedByLayers("object")
          .whereLayer("object.write")
          .mayOnlyBeAccessedByLayers("object")
          .whereLayer("object")
          .mayNotBeAccessedByAnyLayer()
          .whereLayer("file.read")
          .mayOnlyBeAccessedByLayers("file")
          .whereLayer("file.place")
          .mayOnlyBeAccessedByLayers("file")
          .whereLayer("file")
          .mayNotBeAccessedByAnyLayer();
}
