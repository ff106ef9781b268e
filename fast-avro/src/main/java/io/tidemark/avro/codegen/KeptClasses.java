package io.tidemark.avro.codegen;

import io.tidemark.avro.codegen.disk.ClassDirectory;
import io.tidemark.avro.codegen.disk.DiskStatistics;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Internal. The generated classes in a class directory, by key. Safe for use by many threads.
 *
 * <p>No method throws an exception because of the disk or a damaged file: {@code load} then returns
 * null, and {@code store} has no effect.
 */
public final class KeptClasses {
  /** Names are built without string concatenation, which a JVM sets up at its first use. */
  private static final String CODE = ".code";

  private final ClassDirectory directory;

  private KeptClasses(ClassDirectory directory) {
    this.directory = directory;
  }

  /** Returns the classes in the directory of the options, if they name one. */
  public static Optional<KeptClasses> of(CompilerOptions options) {
    return options
        .cacheDirectory()
        .map(path -> new KeptClasses(new ClassDirectory(path, options.cacheFiles())));
  }

  /**
   * Loads a class by the digest of its code.
   *
   * @param digest 64 hexadecimal digits. Different code has another digest, unless someone searches
   *     for code with the same digest: it is not cryptographic
   * @param define defines the class from the class file; if it throws, the file is ignored
   * @return the result of {@code define}; null if there is no such class, or it cannot be used
   */
  public <T> @Nullable T load(String digest, Function<byte[], T> define) {
    return load(digest.concat(CODE), codeOf(digest), kept -> define.apply(kept.classFile()));
  }

  /** Stores a class by the digest of its code. */
  public void store(String digest, byte[] classFile) {
    store(digest.concat(CODE), codeOf(digest), new KernelClass(classFile, 0, List.of()));
  }

  private static PlanFile codeOf(String digest) {
    return new PlanFile("code", digest, 0);
  }

  /** Loads the class in a file with the expected content; null if there is no such class. */
  <T> @Nullable T load(String name, PlanFile expected, Function<KernelClass, T> define) {
    byte[] content = directory.read(name).orElse(null);
    if (content == null) {
      return null;
    }
    T loaded = expected.decode(content).map(kept -> defined(kept, define)).orElse(null);
    if (loaded == null) {
      directory.countIgnored();
    } else {
      directory.countLoaded(name);
    }
    return loaded;
  }

  private static <T> @Nullable T defined(KernelClass kept, Function<KernelClass, T> define) {
    try {
      return define.apply(kept);
    } catch (RuntimeException | LinkageError e) {
      // Counted as ignored. The class is generated, which fails again if the cause is elsewhere.
      return null;
    }
  }

  void store(String name, PlanFile file, KernelClass generated) {
    directory.write(name, file.encode(generated));
  }

  /** Returns the counts of all classes so far. */
  public DiskStatistics statistics() {
    return directory.statistics();
  }
}
