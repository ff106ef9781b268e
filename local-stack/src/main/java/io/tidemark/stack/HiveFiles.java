package io.tidemark.stack;

import io.tidemark.stack.release.MetastoreRelease;
import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The common parts of Hive's two servers: class path, flags and settings. */
record HiveFiles(InstalledServers servers, StackFiles files, Hdfs hdfs, MetastoreRelease release) {

  /** The packages of the JDK that Hive reads by reflection. */
  private static final List<String> OPENED =
      List.of("java.lang", "java.net", "java.nio", "java.util", "java.util.concurrent.atomic");

  /** Writes the configuration of one of the servers. */
  void configure(String server, Map<String, String> settings) {
    Map<String, String> coreSite = new HashMap<>(hdfs.clientSettings());
    hdfs.security()
        .ifPresent(
            security -> {
              coreSite.putAll(security.serverSettings());
              coreSite.put(
                  "hadoop.security.saslproperties.resolver.class",
                  "io.tidemark.stack.FixedProtection");
              coreSite.put(CompiledClasses.PROTECTION, security.options().protection().ofHadoop());
              security.writeTls(files, server);
            });
    coreSite.put("hadoop.tmp.dir", files.data(server).resolve("hadoop").toString());
    String user = System.getProperty("user.name");
    coreSite.put("hadoop.proxyuser." + user + ".hosts", "*");
    coreSite.put("hadoop.proxyuser." + user + ".groups", "*");
    files.writeXml(server, "core-site.xml", coreSite);
    // In core-site.xml those of HDFS have no effect: its defaults come after that file.
    files.writeXml(server, "hdfs-site.xml", hdfs.clientSettings());

    Map<String, String> hiveSite = new HashMap<>(settings);
    hiveSite.put("hive.metastore.warehouse.dir", hdfs.uri() + "/warehouse/managed");
    hiveSite.put("hive.metastore.warehouse.external.dir", hdfs.uri() + "/warehouse/external");
    files.writeXml(server, "hive-site.xml", hiveSite);
  }

  Optional<Security> security() {
    return hdfs.security();
  }

  /** Compiles what the release lacks in a secured stack. */
  void compile(String server, String... classes) {
    if (security().isPresent()) {
      CompiledClasses compiled =
          new CompiledClasses(server, files.conf(server), servers.classPath(release.folder()));
      List.of(classes).forEach(compiled::compile);
    }
  }

  JavaCommand command(
      String server,
      String mainClass,
      int heapMegabytes,
      List<String> options,
      String... arguments) {
    List<String> jvmOptions =
        new ArrayList<>(
            OPENED.stream().map(name -> "--add-opens=java.base/" + name + "=ALL-UNNAMED").toList());
    jvmOptions.add(LoggingConfig.log4j2(files, server));
    jvmOptions.add("-Djava.io.tmpdir=" + files.data(server));
    jvmOptions.addAll(options);
    hdfs.security().ifPresent(security -> jvmOptions.add(security.realm().jvmOption()));
    Path conf = files.conf(server);
    return new JavaCommand(
        JavaInstallation.of(release).home(),
        conf + File.pathSeparator + servers.classPath(release.folder()),
        mainClass,
        heapMegabytes,
        jvmOptions,
        List.of(arguments));
  }
}
