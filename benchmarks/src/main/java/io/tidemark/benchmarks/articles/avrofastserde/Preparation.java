package io.tidemark.benchmarks.articles.avrofastserde;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemark.benchmarks.contenders.IsolatedModule;
import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;

/**
 * Prepares the common input of a shape's forks: the schema, the datums, and the classes of its
 * specific records. Avro 1.8.2's compiler generates the classes, the same for all libraries, and
 * the JDK compiles them.
 */
final class Preparation {
  /** The schema, in a shape's folder. */
  static final String SCHEMA = "schema.avsc";

  /** The datums, in a shape's folder: their number, then each datum preceded by its length. */
  static final String DATUMS = "datums";

  /** The class files, in a shape's folder. */
  static final String CLASSES = "classes";

  /** "Each benchmark method makes exactly 1000 reads or writes". */
  static final int RECORDS = 1_000;

  private static final String GENERATOR = "io.tidemark.benchmarks.fastserde.SpecificClasses";

  private Preparation() {}

  /** Fills a shape's folder. Reuses classes of an earlier run if they have the same schema. */
  static void prepare(Shape shape, Path folder) throws IOException {
    String schema = shape.record().writerSchema().toString();
    Path made = folder.resolve(SCHEMA);
    if (!Files.exists(made) || !Files.readString(made).equals(schema)) {
      remove(folder);
      makeClasses(shape, schema, folder);
      // Written last: its existence shows that the classes are complete.
      Files.writeString(made, schema);
    }
    byte[][] datums = datums(shape);
    try (var out =
        new DataOutputStream(
            new BufferedOutputStream(Files.newOutputStream(folder.resolve(DATUMS))))) {
      out.writeInt(datums.length);
      for (byte[] datum : datums) {
        out.writeInt(datum.length);
        out.write(datum);
      }
    }
  }

  private static void makeClasses(Shape shape, String schema, Path folder) throws IOException {
    Path sources = Files.createDirectories(folder.resolve("sources"));
    Path classes = Files.createDirectories(folder.resolve(CLASSES));
    try {
      IsolatedModule.FAST_SERDE
          .load(GENERATOR)
          .getMethod("write", String.class, String.class)
          .invoke(null, schema, sources.toString());
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(
          shape.name() + ": Avro's compiler makes no classes of the schema", e);
    }
    compile(sources, classes);
  }

  private static byte[][] datums(Shape shape) {
    // Enough for any shape; a datum has more than 10 bytes.
    byte[][] datums = shape.record().datums(10L * RECORDS);
    while (datums.length < RECORDS) {
      long bytes = 0;
      for (byte[] datum : datums) {
        bytes += datum.length;
      }
      datums = shape.record().datums(bytes / datums.length * RECORDS * 5 / 4);
    }
    return List.of(datums).subList(0, RECORDS).toArray(byte[][]::new);
  }

  private static void compile(Path sources, Path classes) throws IOException {
    JavaCompiler javac = ToolProvider.getSystemJavaCompiler();
    List<Path> files;
    try (Stream<Path> all = Files.walk(sources)) {
      files = all.filter(file -> file.toString().endsWith(".java")).toList();
    }
    var messages = new StringWriter();
    var options =
        new ArrayList<>(List.of("-nowarn", "-proc:none", "-d", classes.toString(), "-classpath"));
    options.add(IsolatedModule.FAST_SERDE.classPath());
    try (var manager = javac.getStandardFileManager(null, null, UTF_8)) {
      boolean compiled =
          javac
              .getTask(
                  messages,
                  manager,
                  null,
                  options,
                  null,
                  manager.getJavaFileObjectsFromPaths(files))
              .call();
      if (!compiled) {
        throw new IllegalStateException(sources + " cannot be compiled: " + messages);
      }
    }
  }

  private static void remove(Path folder) throws IOException {
    if (Files.exists(folder)) {
      try (Stream<Path> all = Files.walk(folder)) {
        for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(path);
        }
      }
    }
  }
}
