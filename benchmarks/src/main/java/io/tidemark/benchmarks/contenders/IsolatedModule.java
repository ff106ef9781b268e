package io.tidemark.benchmarks.contenders;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;

/**
 * A module below {@code benchmarks} whose libraries conflict with the benchmark's. It has a
 * separate class loader with the class path that its build has recorded. Only classes of the JDK
 * are shared.
 */
public enum IsolatedModule {
  /** avro-fastserde, which needs another version of Avro. */
  FAST_SERDE("fastserde"),
  /** The client of schema-repo, with its dependencies. */
  SCHEMA_REPO("schemarepo");

  private static final String RESOURCE = "modules.properties";

  private final String directory;

  IsolatedModule(String directory) {
    this.directory = directory;
  }

  /** Returns the class path, with colons between its entries. */
  public String classPath() {
    try (InputStream resource = IsolatedModule.class.getResourceAsStream(RESOURCE)) {
      if (resource == null) {
        throw new IllegalStateException(RESOURCE + " is missing: build the module benchmarks");
      }
      var properties = new Properties();
      properties.load(resource);
      Path module = Path.of(properties.getProperty("benchmarks"), directory);
      return module.resolve("target/classes")
          + ":"
          + Files.readString(module.resolve("target/class-path")).strip();
    } catch (IOException e) {
      throw new UncheckedIOException("the class path of " + directory + " cannot be read", e);
    }
  }

  /** Loads a class of the module by a new class loader, which is never closed. */
  public Class<?> load(String name) {
    List<URL> urls = new ArrayList<>();
    try {
      for (String entry : classPath().split(":", -1)) {
        urls.add(Path.of(entry).toUri().toURL());
      }
      var loader =
          new URLClassLoader(
              directory, urls.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
      return Class.forName(name, true, loader);
    } catch (MalformedURLException | ClassNotFoundException e) {
      throw new IllegalStateException(directory + " is not built: build the module benchmarks", e);
    }
  }
}
