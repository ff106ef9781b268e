package io.tidemark.avro.codegen;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.util.CheckClassAdapter;

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

  /**
   * Verifies and dumps a class file, as the switches say.
   *
   * @param name what the dumped file is called, without {@code .class}
   * @throws UncompilablePlanException if the class is not valid
   */
  public void inspect(String name, byte[] classFile) {
    if (verify) {
      verify(classFile);
    }
    dumpDirectory.ifPresent(directory -> dump(directory, name, classFile));
  }

  private static void verify(byte[] classFile) {
    var faults = new StringWriter();
    CheckClassAdapter.verify(
        new ClassReader(classFile),
        CompilerOptions.class.getClassLoader(),
        false,
        new PrintWriter(faults));
    if (!faults.toString().isEmpty()) {
      throw new UncompilablePlanException("ASM refuses the class: " + faults);
    }
  }

  private static void dump(Path directory, String name, byte[] classFile) {
    Path file = directory.resolve(name + ".class");
    try {
      Files.createDirectories(directory);
      Files.write(file, classFile);
    } catch (IOException e) {
      throw new UncheckedIOException(
          file
              + ": the class cannot be dumped. Name a directory that can be written to in the"
              + " system property "
              + DUMP_PROPERTY,
          e);
    }
  }
}
