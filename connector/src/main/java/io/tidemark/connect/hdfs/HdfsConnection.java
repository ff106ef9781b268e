package io.tidemark.connect.hdfs;

import java.io.IOException;
import java.net.URI;
import java.net.URL;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/**
 * How to reach an HDFS.
 *
 * @param url the store. Examples: {@code hdfs://namenode:8020}, {@code hdfs://nameservice/tidemark}
 * @param confDir the directory of core-site.xml and hdfs-site.xml, where there is one; what they
 *     say goes before our defaults
 * @param settings Hadoop settings that go before everything else
 */
public record HdfsConnection(URI url, Optional<Path> confDir, Map<String, String> settings) {
  private static final String CLIENT_DEFAULTS = "client-defaults.xml";
  private static final String AUTHENTICATION = "hadoop.security.authentication";
  private static final String SIMPLE = "simple";

  public HdfsConnection {
    settings = Map.copyOf(settings);
    if (!"hdfs".equals(url.getScheme()) || url.getAuthority() == null) {
      throw new IllegalArgumentException(
          "store.url " + url + " is no URL of HDFS. Example: hdfs://namenode:8020");
    }
    for (Path directory : confDir.stream().toList()) {
      if (!Files.isRegularFile(directory.resolve("core-site.xml"))
          && !Files.isRegularFile(directory.resolve("hdfs-site.xml"))) {
        throw new IllegalArgumentException(
            "hadoop.conf.dir "
                + directory
                + " holds neither core-site.xml nor hdfs-site.xml. It must be a directory with"
                + " them on every Connect worker.");
      }
    }
  }

  /**
   * Opens the storage. No server is asked yet.
   *
   * @throws IllegalArgumentException the settings give another file system than HDFS
   */
  public HdfsStorage open() throws IOException {
    // Hadoop looks for its services with the thread's class loader, which is the worker's own
    // where a thread was not started by Connect.
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    thread.setContextClassLoader(HdfsConnection.class.getClassLoader());
    try {
      Configuration conf = configuration();
      requireHdfs(FileSystem.getFileSystemClass("hdfs", conf));
      // An instance of our own: the JVM's cache would share it with every other plugin's close().
      FileSystem opened = FileSystem.newInstance(url, conf);
      String path = url.getPath();
      return new HdfsStorage(
          (DistributedFileSystem) opened,
          path.endsWith("/") ? path.substring(0, path.length() - 1) : path);
    } catch (IllegalArgumentException e) {
      if (e.getCause() instanceof UnknownHostException unknown) {
        throw new IOException(
            "store.url "
                + url
                + ": the host "
                + unknown.getMessage()
                + " is unknown. Check its name; for a name service, hadoop.conf.dir must lead to"
                + " the hdfs-site.xml that defines it.",
            e);
      }
      throw e;
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  private Configuration configuration() throws IOException {
    Configuration conf = new Configuration();
    conf.setClassLoader(HdfsConnection.class.getClassLoader());
    URL defaults = HdfsConnection.class.getResource(CLIENT_DEFAULTS);
    conf.addResource(Objects.requireNonNull(defaults, CLIENT_DEFAULTS));
    for (Path directory : confDir.stream().toList()) {
      for (String name : new String[] {"core-site.xml", "hdfs-site.xml"}) {
        Path file = directory.resolve(name);
        if (Files.isRegularFile(file)) {
          conf.addResource(file.toUri().toURL());
        }
      }
    }
    settings.forEach(conf::set);
    String authentication = conf.get(AUTHENTICATION, SIMPLE);
    if (!authentication.equalsIgnoreCase(SIMPLE)) {
      throw new IllegalArgumentException(
          "hadoop.conf.dir "
              + confDir.map(Path::toString).orElse("")
              + " asks for "
              + AUTHENTICATION
              + "="
              + authentication
              + ", which is not supported yet. Use an HDFS with simple authentication.");
    }
    return conf;
  }

  private void requireHdfs(Class<?> resolved) {
    if (resolved != DistributedFileSystem.class) {
      throw new IllegalArgumentException(
          "store.url "
              + url
              + " leads to the file system "
              + resolved.getName()
              + ", of which nobody knows that its rename is atomic and never replaces: two tasks"
              + " could commit the same offsets. Only "
              + DistributedFileSystem.class.getName()
              + " may stand there: take fs.hdfs.impl out of core-site.xml.");
    }
  }
}
