package io.tidemark.avro.codegen;

import java.nio.file.Path;
import java.util.Optional;

/**
 * Switches for those who look into generated classes.
 *
 * @param verify look over each class with ASM's checker, which says more of a fault than the JVM;
 *     needs {@code org.ow2.asm:asm-util} on the class path
 * @param dumpDirectory where to write the class files, for {@code javap -c -p}
 */
public record CompilerOptions(boolean verify, Optional<Path> dumpDirectory) {
  /** The system property that turns {@link #verify} on by {@code true}. */
  public static final String VERIFY_PROPERTY = "tidemark.codegen.verify";

  /** The system property that holds {@link #dumpDirectory}. */
  public static final String DUMP_PROPERTY = "tidemark.codegen.dump";

  /** Nothing is verified or dumped. */
  public static final CompilerOptions NONE = new CompilerOptions(false, Optional.empty());

  /** What the system properties say. */
  public static CompilerOptions ofSystemProperties() {
    return new CompilerOptions(
        Boolean.getBoolean(VERIFY_PROPERTY),
        Optional.ofNullable(System.getProperty(DUMP_PROPERTY)).map(Path::of));
  }
}
