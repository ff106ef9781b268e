package io.tidemark.stack;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A router in front of several HDFS (router-based federation). It shows directories of all of them,
 * its mounts, as one HDFS. Used by one thread.
 */
public final class HdfsRouter implements AutoCloseable {
  private static final String NAME = "router";
  private static final int HEAP_MEGABYTES = 256;

  private final InstalledServers servers = InstalledServers.ofThisBuild();
  private final Watchdog watchdog = new Watchdog();
  private final StackFiles files;
  private final int port = FreePorts.next();
  private final int webPort = FreePorts.next();
  private final ServerProcess process;

  private HdfsRouter(Path directory, Map<String, Hdfs> namespaces) {
    files = new StackFiles(directory);
    Map<String, String> settings = settings(namespaces);
    files.writeXml(NAME, "core-site.xml", Map.of());
    files.writeXml(NAME, "hdfs-site.xml", settings);
    files.writeXml(NAME, "hdfs-rbf-site.xml", settings);
    try {
      Files.createDirectories(files.conf(NAME).resolve("webapps").resolve("router"));
      Files.createDirectories(files.data(NAME).resolve("state"));
    } catch (IOException e) {
      throw new UncheckedIOException(files.conf(NAME) + " cannot be written", e);
    }
    process =
        new ServerProcess(
            NAME,
            command("org.apache.hadoop.hdfs.server.federation.router.DFSRouter"),
            files,
            new HttpCheck(
                URI.create("http://localhost:" + webPort + "/jmx"), body -> Optional.empty()),
            watchdog);
  }

  /**
   * Starts a router.
   *
   * @param namespaces each HDFS, by the name of its namespace; each has one name node
   * @param mounts the namespace of each directory, which has the same path there
   */
  public static HdfsRouter start(
      Path directory, Map<String, Hdfs> namespaces, Map<String, String> mounts) {
    HdfsRouter router = new HdfsRouter(directory, namespaces);
    boolean started = false;
    try {
      router.process.start();
      new TreeMap<>(mounts).forEach((path, name) -> router.admin("-add", path, name, path));
      router.admin("-refresh");
      started = true;
      return router;
    } finally {
      if (!started) {
        router.close();
      }
    }
  }

  private Map<String, String> settings(Map<String, Hdfs> namespaces) {
    Map<String, String> settings = new HashMap<>();
    String names = String.join(",", new TreeSet<>(namespaces.keySet()));
    settings.put("dfs.nameservices", names);
    namespaces.forEach(
        (name, hdfs) -> {
          NameNode node = hdfs.nameNodes().get(0);
          settings.put("dfs.namenode.rpc-address." + name, node.rpcAddress());
          settings.put("dfs.namenode.http-address." + name, node.webUrl().getAuthority());
        });
    String prefix = "dfs.federation.router.";
    settings.put(prefix + "monitor.namenode", names);
    settings.put(prefix + "monitor.localnamenode.enable", "false");
    settings.put(prefix + "heartbeat.interval", "1000");
    settings.put(prefix + "default.nameserviceId", names.replaceFirst(",.*", ""));
    settings.put(prefix + "rpc-address", "localhost:" + port);
    settings.put(prefix + "admin-address", "localhost:" + FreePorts.next());
    settings.put(prefix + "http-address", "localhost:" + webPort);
    settings.put(prefix + "https-address", "localhost:" + FreePorts.next());
    settings.put(prefix + "safemode.enable", "false");
    settings.put(prefix + "cache.ttl", "1s");
    settings.put(
        prefix + "store.driver.class",
        "org.apache.hadoop.hdfs.server.federation.store.driver.impl.StateStoreFileImpl");
    settings.put(
        prefix + "store.driver.file.directory", files.data(NAME).resolve("state").toString());
    return settings;
  }

  private JavaCommand command(String mainClass, String... arguments) {
    return new JavaCommand(
        files.conf(NAME) + File.pathSeparator + servers.classPath(NAME),
        mainClass,
        HEAP_MEGABYTES,
        List.of(
            JavaCommand.FIRST_COMPILER,
            "--add-opens=java.base/java.lang=ALL-UNNAMED",
            LoggingConfig.log4j1(files, NAME)),
        List.of(arguments));
  }

  private void admin(String... arguments) {
    Tool.run(
        NAME,
        command("org.apache.hadoop.hdfs.tools.federation.RouterAdmin", arguments),
        files,
        watchdog);
  }

  /** Returns the URI for clients, as that of a name node. */
  public URI uri() {
    return URI.create("hdfs://localhost:" + port);
  }

  @Override
  public void close() {
    process.stop();
    watchdog.close();
  }
}
