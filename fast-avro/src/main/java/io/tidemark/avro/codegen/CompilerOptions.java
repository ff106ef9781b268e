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
 * Settings of the class directory, in which generated classes are kept for the next start, and of
 * the inspection of generated classes.
 *
 * @param verify check each class with ASM's verifier, whose messages are more precise than the
 *     JVM's; needs {@code org.ow2.asm:asm-util} on the class path
 * @param dumpDirectory the directory for dumped class files, for {@code javap -c -p}
 * @param cacheDirectory the class directory, in which classes are kept for other JVMs and later
 *     starts. The classes are run: only the program's user may have write access
 * @param cacheFiles the maximum number of files there, from 1; the least recently used are removed
 */
public record CompilerOptions(
    boolean verify, Optional<Path> dumpDirectory, Optional<Path> cacheDirectory, int cacheFiles) {
  /** The system property that sets {@link #verify} if it is {@code true}. */
  public static final String VERIFY_PROPERTY = "tidemark.codegen.verify";

  /** The system property of {@link #dumpDirectory}. */
  public static final String DUMP_PROPERTY = "tidemark.codegen.dump";

  /** The system property of {@link #cacheDirectory}. */
  public static final String CACHE_PROPERTY = "tidemark.codegen.cache";

  /** The system property of {@link #cacheFiles}. */
  public static final String CACHE_FILES_PROPERTY = "tidemark.codegen.cache.files";

  /** The default of {@link #cacheFiles}. */
  public static final int DEFAULT_CACHE_FILES = 1024;

  /** Options without verification, dump or class directory. */
  public static final CompilerOptions NONE = new CompilerOptions(false, Optional.empty());

  public CompilerOptions {
    if (cacheFiles < 1) {
      throw new IllegalArgumentException("cacheFiles must be at least 1, not " + cacheFiles);
    }
  }

  /** Creates options without a class directory. */
  public CompilerOptions(boolean verify, Optional<Path> dumpDirectory) {
    this(verify, dumpDirectory, Optional.empty(), DEFAULT_CACHE_FILES);
  }

  /** Returns the options that the system properties set. */
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

  /** Returns these options with a class directory. */
  public CompilerOptions withCache(Path directory, int files) {
    return new CompilerOptions(verify, dumpDirectory, Optional.of(directory), files);
  }

  /**
   * Verifies and dumps a class file, if these options require it.
   *
   * @param name the name of the dumped file, without {@code .class}
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
      throw new UncompilablePlanException("ASM rejects the class: " + faults);
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
