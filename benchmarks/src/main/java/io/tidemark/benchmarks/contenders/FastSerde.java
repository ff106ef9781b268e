package io.tidemark.benchmarks.contenders;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.function.LongSupplier;

/**
 * The way to avro-fastserde, which needs another Avro than ours: a class loader of its own over the
 * class path that the build of {@code benchmarks/fastserde} has put down.
 */
final class FastSerde {
  private static final String RESOURCE = "fastserde.properties";
  private static final String PASS = "io.tidemark.benchmarks.fastserde.FastSerdePass";

  private FastSerde() {}

  /** Loaded once in a JVM. */
  private static final class Loaded {
    static final String CLASS_PATH = classPath();
    static final Class<?> CLASS = load(CLASS_PATH);
  }

  static LongSupplier pass(Job job) {
    try {
      return (LongSupplier)
          Loaded.CLASS
              .getMethod(
                  "of",
                  String.class,
                  String.class,
                  String.class,
                  String.class,
                  String.class,
                  int.class,
                  byte[][].class,
                  OutputStream.class)
              .invoke(
                  null,
                  job.work().label(),
                  job.writerSchema().toString(),
                  job.tableSchema().toString(),
                  job.codec(),
                  Loaded.CLASS_PATH,
                  Job.BLOCK_SIZE_BYTES,
                  job.datums(),
                  job.sink());
    } catch (InvocationTargetException e) {
      throw new IllegalStateException("fastserde cannot do " + job.work().label(), e.getCause());
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(PASS + " is not what it was built as", e);
    }
  }

  private static String classPath() {
    try (InputStream resource = FastSerde.class.getResourceAsStream(RESOURCE)) {
      if (resource == null) {
        throw new IllegalStateException(RESOURCE + " is missing: build the module benchmarks");
      }
      var properties = new Properties();
      properties.load(resource);
      Path module = Path.of(properties.getProperty("module"));
      return module.resolve("target/classes")
          + ":"
          + Files.readString(module.resolve("target/class-path")).strip();
    } catch (IOException e) {
      throw new UncheckedIOException("the class path of fastserde cannot be read", e);
    }
  }

  private static Class<?> load(String classPath) {
    List<URL> urls = new ArrayList<>();
    try {
      for (String entry : classPath.split(":", -1)) {
        urls.add(Path.of(entry).toUri().toURL());
      }
      var loader =
          new URLClassLoader(
              "fastserde", urls.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
      return Class.forName(PASS, true, loader);
    } catch (MalformedURLException | ClassNotFoundException e) {
      throw new IllegalStateException("fastserde is not built: build the module benchmarks", e);
    }
  }
}
