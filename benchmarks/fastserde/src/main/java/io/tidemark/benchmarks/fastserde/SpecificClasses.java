package io.tidemark.benchmarks.fastserde;

import java.io.File;
import java.io.IOException;
import org.apache.avro.Schema;
import org.apache.avro.compiler.specific.SpecificCompiler;

/** Generates the sources of specific records' classes by Avro's own compiler. */
public final class SpecificClasses {
  private SpecificClasses() {}

  /** Writes the sources of all named types of a schema below a directory. */
  public static void write(String schema, String directory) throws IOException {
    var compiler = new SpecificCompiler(new Schema.Parser().parse(schema));
    // No field is set, so there is less to compile.
    compiler.setCreateSetters(false);
    compiler.compileToDestination(null, new File(directory));
  }
}
