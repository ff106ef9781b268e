package io.tidemark.avro.codegen;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.avro.EvolvedSchema;
import io.tidemark.avro.RandomAvro;
import io.tidemark.avro.plan.IncompatibleSchemasException;
import io.tidemark.avro.plan.Planner;
import java.util.List;
import java.util.zip.CRC32;
import org.apache.avro.Schema;
import org.junit.jupiter.api.Test;

/**
 * Classes of another version of the compiler remain on disk and are not used. The version must
 * therefore change with the generated code and with the code that it calls.
 */
final class CompilerVersionTest {
  private static final String VERSION_AND_CLASSES = "6: 1822025c";

  @Test
  void versionChangesWithTheClasses() {
    assertThat(PlanCompiler.VERSION + ": " + checksumOfClasses())
        .as("Raise PlanCompiler.VERSION, unless only the random schemas changed; write both here")
        .isEqualTo(VERSION_AND_CLASSES);
  }

  private static String checksumOfClasses() {
    var checksum = new CRC32();
    for (int seed = 0; seed < 200; seed++) {
      var avro = new RandomAvro(seed);
      Schema writer = avro.recordSchema();
      Schema table = seed % 4 == 0 ? writer : EvolvedSchema.daring(writer, avro.random());
      try {
        KernelClass made = PlanCompiler.kernelClass(Planner.plan(writer, table, List.of()));
        checksum.update(made.classFile());
        checksum.update(made.places());
        made.constants().forEach(constant -> checksum.update(constant.bytes()));
      } catch (IncompatibleSchemasException e) {
        // Not every evolution can be resolved.
      }
    }
    return Long.toHexString(checksum.getValue());
  }
}
