package io.tidemark.avro.object;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.JarURLConnection;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.commons.ClassRemapper;
import org.objectweb.asm.commons.SimpleRemapper;

/**
 * The classes of Avro's own tests, in which the names of Avro's readers and writers are replaced by
 * those of {@link AvrosReaders}. Avro's library and fast-avro are loaded here again, in the same
 * loader as the tests, because the tests access package-private parts of Avro.
 */
final class RemappedTests extends ClassLoader {
  private static final String NESTED = "io/tidemark/avro/object/AvrosReaders$";
  private static final Map<String, String> NAMES =
      Map.of(
          // Avro's tests use JUnit 5, and some assertions of JUnit 4 that both versions have.
          "org/junit/Assert", "org/junit/jupiter/api/Assertions",
          "org/apache/avro/generic/GenericDatumReader", NESTED + "GenericReader",
          "org/apache/avro/generic/GenericDatumWriter", NESTED + "GenericWriter",
          "org/apache/avro/specific/SpecificDatumReader", NESTED + "SpecificReader",
          "org/apache/avro/specific/SpecificDatumWriter", NESTED + "SpecificWriter");

  private final Set<String> tests;

  static {
    registerAsParallelCapable();
  }

  RemappedTests(ClassLoader parent) throws IOException {
    super(parent);
    tests = new HashSet<>();
    try (JarFile jar = jar(parent)) {
      jar.stream()
          .map(entry -> entry.getName())
          .filter(name -> name.endsWith(".class"))
          .forEach(tests::add);
    }
  }

  private static JarFile jar(ClassLoader parent) throws IOException {
    URL one =
        Objects.requireNonNull(
            parent.getResource("org/apache/avro/generic/TestGenericDatumReader.class"),
            "Avro's tests are not on the class path");
    return ((JarURLConnection) one.openConnection()).getJarFile();
  }

  /**
   * Unpacks the files of Avro's test jar whose names match a regular expression: tests open them by
   * a path, such as {@code target/test-classes/share/test/data/test.avro12}.
   */
  void unpack(String names, Path directory) throws IOException {
    try (JarFile jar = jar(getParent())) {
      for (JarEntry entry : jar.stream().toList()) {
        if (!entry.isDirectory() && entry.getName().matches(names)) {
          Path file = directory.resolve(entry.getName());
          Files.createDirectories(Objects.requireNonNull(file.getParent(), "parent"));
          try (InputStream content = jar.getInputStream(entry)) {
            Files.copy(content, file, StandardCopyOption.REPLACE_EXISTING);
          }
        }
      }
    }
  }

  /** The top-level classes, which may contain tests. */
  List<String> names() {
    return tests.stream()
        .filter(file -> file.startsWith("org/apache/avro/") && !file.contains("$"))
        .map(file -> file.replaceFirst("\\.class$", "").replace('/', '.'))
        .sorted()
        .toList();
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    if (!name.startsWith("org.apache.avro.") && !name.startsWith("io.tidemark.avro.")) {
      return super.loadClass(name, resolve);
    }
    synchronized (getClassLoadingLock(name)) {
      Class<?> known = findLoadedClass(name);
      return known == null ? define(name) : known;
    }
  }

  private Class<?> define(String name) throws ClassNotFoundException {
    String file = name.replace('.', '/') + ".class";
    if (getParent().getResource(file) == null) {
      throw new ClassNotFoundException(name);
    }
    byte[] bytes = bytes(file);
    if (tests.contains(file)) {
      var reader = new ClassReader(bytes);
      var writer = new ClassWriter(0);
      reader.accept(new ClassRemapper(writer, new SimpleRemapper(Opcodes.ASM9, NAMES)), 0);
      bytes = writer.toByteArray();
    }
    return defineClass(name, bytes, 0, bytes.length);
  }

  private byte[] bytes(String file) {
    try (InputStream in = Objects.requireNonNull(getParent().getResourceAsStream(file), file)) {
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
