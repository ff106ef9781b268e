package io.tidemark.connect;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidemark.avro.file.BlockCodec;
import io.tidemark.avro.file.BlockCompressor;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.module.ModuleFinder;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.ByteBuffer;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.TreeMap;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.apache.kafka.connect.sink.SinkConnector;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The content of the plugin archive, and the load of the plugin in a worker. */
class PluginArchiveIT {

  /** Packages of a Connect worker or its JDK. */
  private static final List<String> OF_THE_WORKER =
      List.of(
          "java/",
          "javax/",
          "jakarta/",
          "ch/qos/",
          "org/apache/kafka/",
          "org/apache/log4j/",
          "org/apache/logging/",
          "org/slf4j/");

  @TempDir static Path unpacked;
  private static Path archive;
  private static Path top;
  private static List<Path> jars;

  @BeforeAll
  static void unpack() throws IOException {
    archive = only(Path.of("target"), "tidemark-kafka-connect-*.zip");
    try (ZipFile zip = new ZipFile(archive.toFile())) {
      for (ZipEntry entry : zip.stream().toList()) {
        Path target = unpacked.resolve(entry.getName()).normalize();
        assertThat(target).startsWithRaw(unpacked);
        if (entry.isDirectory()) {
          Files.createDirectories(target);
        } else {
          Files.createDirectories(target.getParent());
          try (InputStream in = zip.getInputStream(entry);
              OutputStream out = Files.newOutputStream(target)) {
            in.transferTo(out);
          }
        }
      }
    }
    top = only(unpacked, "*");
    jars = all(top.resolve("lib"), "*");
  }

  @Test
  void layoutIsThatOfAPluginArchive() throws IOException {
    JsonNode manifest = new ObjectMapper().readTree(top.resolve("manifest.json").toFile());
    String version = manifest.path("version").asText();

    assertThat(version)
        .matches("\\d+\\.\\d+\\.\\d+(-SNAPSHOT(-\\d{8}\\.\\d{6}-[0-9a-f]{8}(-dirty)?)?)?");
    assertThat(manifest.path("name").asText()).isEqualTo("tidemark-kafka-connect");
    assertThat(manifest.path("component_types")).hasToString("[\"sink\"]");
    assertThat(top.getFileName()).hasToString("tidemark-tidemark-kafka-connect-" + version);
    assertThat(archive.getFileName()).hasToString("tidemark-kafka-connect-" + version + ".zip");
    assertThat(top.resolve("doc"))
        .isDirectoryContaining("glob:**/LICENSE")
        .isDirectoryContaining("glob:**/NOTICE")
        .isDirectoryContaining("glob:**/README.md");
    assertThat(top.resolve("etc")).isDirectoryContaining("glob:**/*.json");
    assertThat(jars).isNotEmpty().allMatch(jar -> jar.toString().endsWith(".jar"));
    System.out.printf("%s: %,d bytes, %d jars%n", archive, Files.size(archive), jars.size());
  }

  @Test
  void nothingOfTheWorkersIsShipped() throws IOException {
    Map<String, String> shipped = new TreeMap<>();
    classes()
        .forEach(
            (name, places) -> {
              if (OF_THE_WORKER.stream().anyMatch(name::startsWith)) {
                shipped.put(name, places.toString());
              }
            });
    assertThat(shipped).isEmpty();
  }

  @Test
  void noClassIsShippedTwice() throws IOException {
    Map<String, List<String>> classes = classes();
    classes.values().removeIf(places -> places.size() == 1);

    assertThat(classes).isEmpty();
  }

  @Test
  void everyJarOfOthersIsNamedWithItsLicence() throws IOException {
    String thirdParty = Files.readString(top.resolve("doc/THIRD-PARTY.md"), UTF_8);
    for (Path jar : jars) {
      String name = jar.getFileName().toString().replaceFirst("-[0-9].*", "");
      if (!List.of("completeness", "connector", "fast-avro", "registry-client", "store")
          .contains(name)) {
        assertThat(thirdParty).containsPattern("[ |]" + name + "[ ,]");
      }
    }
  }

  /** Fast-avro and registry-client are also used without the plugin: docs/FAST-AVRO.md. */
  @Test
  void librariesAreModules() throws IOException {
    for (Map.Entry<String, String> library :
        Map.of("fast-avro", "io.tidemark.avro", "registry-client", "io.tidemark.registry")
            .entrySet()) {
      Path jar = only(top.resolve("lib"), library.getKey() + "-[0-9]*.jar");
      assertThat(ModuleFinder.of(jar).findAll())
          .singleElement()
          .satisfies(
              module -> {
                assertThat(module.descriptor().name()).isEqualTo(library.getValue());
                assertThat(module.descriptor().isAutomatic()).isTrue();
              });
      try (var file = new JarFile(jar.toFile())) {
        assertThat(file.getManifest().getMainAttributes().getValue("Automatic-Module-Name"))
            .isEqualTo(library.getValue());
      }
    }
  }

  @Test
  void workerFindsTheConnectorByItsService() throws Exception {
    try (URLClassLoader plugin = pluginLoader()) {
      List<Class<?>> found = new ArrayList<>();
      for (ServiceLoader.Provider<SinkConnector> provider :
          ServiceLoader.load(SinkConnector.class, plugin).stream().toList()) {
        found.add(provider.type());
      }
      assertThat(found)
          .extracting(Class::getName)
          .containsExactly("io.tidemark.connect.TidemarkSinkConnector");
      assertThat(found.get(0).getClassLoader()).isSameAs(plugin);
      SinkConnector connector = (SinkConnector) found.get(0).getDeclaredConstructor().newInstance();
      assertThat(connector.version())
          .isEqualTo(found.get(0).getPackage().getImplementationVersion());
      assertThat(connector.config().names()).contains("store.url");
    }
  }

  /**
   * Native libraries belong to one class loader, and other plugins of the worker may have them too.
   */
  @ParameterizedTest
  @ValueSource(strings = {"null", "deflate", "snappy", "zstandard", "bzip2", "xz"})
  void everyCodecWorksWithinThePluginBesideAnotherLoaders(String codec) throws Exception {
    byte[] raw = new byte[100_000];
    ByteBuffer here;
    try (BlockCompressor compressor = BlockCodec.of(codec).newCompressor()) {
      here = compressor.compress(raw, 0, raw.length);
    }
    try (URLClassLoader plugin = pluginLoader()) {
      Class<?> codecType = plugin.loadClass(BlockCodec.class.getName());
      Object own = codecType.getMethod("of", String.class).invoke(null, codec);
      Class<?> compressorType = plugin.loadClass(BlockCompressor.class.getName());
      try (AutoCloseable compressor =
          (AutoCloseable) codecType.getMethod("newCompressor").invoke(own)) {
        assertThat(compressor.getClass().getClassLoader()).isSameAs(plugin);
        assertThat(
                compressorType
                    .getMethod("compress", byte[].class, int.class, int.class)
                    .invoke(compressor, raw, 0, raw.length))
            .isEqualTo(here);
      }
    }
  }

  /** Hadoop loads classes by name, through the class loader of the current thread. */
  @Test
  void hdfsIsReachedFromWithinThePlugin() throws Exception {
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    try (URLClassLoader plugin = pluginLoader()) {
      thread.setContextClassLoader(ClassLoader.getPlatformClassLoader());
      Class<?> connection = plugin.loadClass("io.tidemark.connect.hdfs.HdfsConnection");
      Class<?> user = plugin.loadClass("io.tidemark.connect.hdfs.HadoopUser");
      Object hdfs =
          connection
              .getConstructor(URI.class, Optional.class, Map.class, user)
              .newInstance(
                  URI.create("hdfs://localhost:8020"),
                  Optional.empty(),
                  Map.of(),
                  user.getField("OF_THE_PROCESS").get(null));
      try (AutoCloseable storage = (AutoCloseable) connection.getMethod("open").invoke(hdfs)) {
        assertThat(storage.getClass().getName()).isEqualTo("io.tidemark.connect.hdfs.HdfsStorage");
        assertThat(storage.getClass().getClassLoader()).isSameAs(plugin);
      }
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  /** Loads classes as a worker does: its own API from itself, everything else from the archive. */
  private static URLClassLoader pluginLoader() throws IOException {
    ClassLoader worker =
        new ClassLoader(ClassLoader.getPlatformClassLoader()) {
          @Override
          protected Class<?> findClass(String name) throws ClassNotFoundException {
            if (name.startsWith("org.apache.kafka.") || name.startsWith("org.slf4j.")) {
              return PluginArchiveIT.class.getClassLoader().loadClass(name);
            }
            throw new ClassNotFoundException(name);
          }
        };
    List<URL> urls = new ArrayList<>();
    for (Path jar : jars) {
      urls.add(jar.toUri().toURL());
    }
    return new URLClassLoader("plugin", urls.toArray(URL[]::new), worker);
  }

  /** The jars that contain each class. */
  private static Map<String, List<String>> classes() throws IOException {
    Map<String, List<String>> classes = new HashMap<>();
    for (Path jar : jars) {
      try (JarFile file = new JarFile(jar.toFile())) {
        for (JarEntry entry : file.stream().toList()) {
          String name = entry.getName();
          if (name.endsWith(".class")
              && !name.startsWith("META-INF/")
              && !name.equals("module-info.class")) {
            classes
                .computeIfAbsent(name, added -> new ArrayList<>())
                .add(jar.getFileName().toString());
          }
        }
      }
    }
    return classes;
  }

  private static Path only(Path directory, String glob) throws IOException {
    List<Path> found = all(directory, glob);
    assertThat(found).as("%s in %s", glob, directory).hasSize(1);
    return found.get(0);
  }

  private static List<Path> all(Path directory, String glob) throws IOException {
    List<Path> found = new ArrayList<>();
    try (DirectoryStream<Path> paths = Files.newDirectoryStream(directory, glob)) {
      paths.forEach(found::add);
    }
    return found;
  }
}
