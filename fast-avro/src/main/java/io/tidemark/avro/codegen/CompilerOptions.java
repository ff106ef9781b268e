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
 * Switches for those who look into generated classes, or keep them on disk.
 *
 * @param verify look over each class with ASM's checker, which says more of a fault than the JVM;
 *     needs {@code org.ow2.asm:asm-util} on the class path
 * @param dumpDirectory where to write the class files, for {@code javap -c -p}
 * @param cacheDirectory where classes are kept for other JVMs and other starts. They are run:
 *     nobody but the program's user may be able to write there
 * @param cacheFiles how many files are kept there, from 1; the least recently used go first
 */
public record CompilerOptions(
    boolean verify, Optional<Path> dumpDirectory, Optional<Path> cacheDirectory, int cacheFiles) {
  /** The system property that turns {@link #verify} on by {@code true}. */
  public static final String VERIFY_PROPERTY = "tidemark.codegen.verify";

  /** The system property that holds {@link #dumpDirectory}. */
  public static final String DUMP_PROPERTY = "tidemark.codegen.dump";

  /** The system property that holds {@link #cacheDirectory}. */
  public static final String CACHE_PROPERTY = "tidemark.codegen.cache";

  /** The system property that holds {@link #cacheFiles}. */
  public static final String CACHE_FILES_PROPERTY = "tidemark.codegen.cache.files";

  /** How many files are kept if nothing is said. */
  public static final int DEFAULT_CACHE_FILES = 1024;

  /** Nothing is verified, dumped or kept on disk. */
  public static final CompilerOptions NONE = new CompilerOptions(false, Optional.empty());

  public CompilerOptions {
    if (cacheFiles < 1) {
      throw new IllegalArgumentException("cacheFiles must be at least 1, not " + cacheFiles);
    }
  }

  /** Nothing is kept on disk. */
  public CompilerOptions(boolean verify, Optional<Path> dumpDirectory) {
    this(verify, dumpDirectory, Optional.empty(), DEFAULT_CACHE_FILES);
  }

  /** What the system properties say. */
  public static CompilerOptions ofSystemProperties() {
    return new CompilerOptions(
        Boolean.getBoolean(VERIFY_PROPERTY),
        directory(DUMP_PROPERTY),
        directory(CACHE_PROPERTY),
        number(CACHE_FILES_PROPERTY, DEFAULT_CACHE_FILES));
  }

  private static Optional<Path> directory(String property) {
    return Optional.ofNullable(System.getProperty(property)).map(Path::of);
  }

  private static int number(String property, int absent) {
    String text = System.getProperty(property);
    try {
      return text == null ? absent : Integer.parseInt(text);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "the system property " + property + " must be a number, not \"" + text + "\"", e);
    }
  }

  /** The same, with classes kept in a directory. */
  public CompilerOptions withCache(Path directory, int files) {
    return new CompilerOptions(verify, dumpDirectory, Optional.of(directory), files);
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
