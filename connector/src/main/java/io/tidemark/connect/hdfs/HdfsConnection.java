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
 * The settings of a connection to HDFS: its URL, the directory of core-site.xml and hdfs-site.xml,
 * which override the connector's defaults, and Hadoop settings that override everything else.
 */
public record HdfsConnection(
    URI url, Optional<Path> confDir, Map<String, String> settings, HadoopUser user) {
  private static final String CLIENT_DEFAULTS = "client-defaults.xml";

  public HdfsConnection {
    settings = Map.copyOf(settings);
    if (!"hdfs".equals(url.getScheme()) || url.getAuthority() == null) {
      throw new IllegalArgumentException(
          "store.url " + url + " is not a URL of HDFS. Example: hdfs://namenode:8020");
    }
    for (Path directory : confDir.stream().toList()) {
      if (!Files.isRegularFile(directory.resolve("core-site.xml"))
          && !Files.isRegularFile(directory.resolve("hdfs-site.xml"))) {
        throw new IllegalArgumentException(
            "hadoop.conf.dir %s contains neither core-site.xml nor hdfs-site.xml. It must be a directory with these files on every Connect worker."
                .formatted(directory));
      }
    }
  }

  /** Calls no server. Throws an IllegalArgumentException if the file system is not HDFS. */
  public HdfsStorage open() throws IOException {
    // Hadoop loads its services with the thread's class loader. In a thread that Connect did not
    // start, this is the worker's own class loader.
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    thread.setContextClassLoader(HdfsConnection.class.getClassLoader());
    try {
      Configuration conf = configuration();
      requireHdfs(FileSystem.getFileSystemClass("hdfs", conf));
      // Create a separate instance: plugins share that of the JVM's cache, and may close it.
      HdfsIdentity identity = HdfsIdentity.of(user, conf);
      try {
        FileSystem opened = identity.open(() -> FileSystem.newInstance(url, conf));
        String path = url.getPath();
        return new HdfsStorage(
            (DistributedFileSystem) opened,
            identity,
            path.endsWith("/") ? path.substring(0, path.length() - 1) : path);
      } catch (IOException | RuntimeException e) {
        identity.close();
        throw e;
      }
    } catch (IllegalArgumentException e) {
      if (e.getCause() instanceof UnknownHostException unknown) {
        throw new IOException(
            "store.url %s: the host %s is unknown. Check its name; for a name service, hadoop.conf.dir must contain the hdfs-site.xml that defines it."
                .formatted(url, unknown.getMessage()),
            e);
      }
      throw e;
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  Configuration configuration() throws IOException {
    Configuration conf = new Configuration();
    conf.setClassLoader(HdfsConnection.class.getClassLoader());
    URL defaults = HdfsConnection.class.getResource(CLIENT_DEFAULTS);
    conf.addResource(Objects.requireNonNull(defaults, CLIENT_DEFAULTS));
    for (Path directory : confDir.stream().toList()) {
      for (String name : new String[] {"core-site.xml", "hdfs-site.xml", "ssl-client.xml"}) {
        Path file = directory.resolve(name);
        if (Files.isRegularFile(file)) {
          conf.addResource(file.toUri().toURL());
        }
      }
    }
    settings.forEach(conf::set);
    // A client that reads from observers must read what other workers wrote before: see Storage.
    conf.set("dfs.client.failover.observer.auto-msync-period." + url.getHost(), "0");
    String authentication = conf.get(HdfsIdentity.AUTHENTICATION, HdfsIdentity.SIMPLE);
    if (user.keytab().isEmpty() && !authentication.equalsIgnoreCase(HdfsIdentity.SIMPLE)) {
      throw new IllegalArgumentException(
          "hadoop.conf.dir %s sets %s=%s. Set hdfs.authentication.kerberos=true, connect.hdfs.principal and connect.hdfs.keytab."
              .formatted(
                  confDir.map(Path::toString).orElse(""),
                  HdfsIdentity.AUTHENTICATION,
                  authentication));
    }
    return conf;
  }

  private void requireHdfs(Class<?> resolved) {
    if (resolved != DistributedFileSystem.class) {
      throw new IllegalArgumentException(
          "store.url %s gives the file system %s. Its rename may not be atomic, or may replace files: two tasks could then commit the same offsets. Only %s is supported: remove fs.hdfs.impl from core-site.xml."
              .formatted(url, resolved.getName(), DistributedFileSystem.class.getName()));
    }
  }
}
