package io.tidemark.stack;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.tidemark.stack.release.HadoopRelease;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * HDFS with a name node, a data node, and one copy of each block. Its superuser is the user of this
 * JVM.
 */
public final class Hdfs extends StackService {

  /** A user who may read the tables, and their group. */
  public static final String READERS = "hive";

  private static final String NAME_NODE = "name-node";
  private static final String DATA_NODE = "data-node";
  private static final int HEAP_MEGABYTES = 320;
  private static final int SILENT_SECONDS = 3;
  private static final ObjectMapper JSON = new ObjectMapper();

  private final StackFiles files;
  private final Watchdog watchdog;
  private final String hadoopClassPath;
  private final int rpcPort = FreePorts.next();
  private final int httpPort = FreePorts.next();
  private final String dataNodeAddress = "localhost:" + FreePorts.next();
  private final ServerProcess nameNode;
  private final ServerProcess dataNode;

  Hdfs(InstalledServers servers, StackFiles files, Watchdog watchdog, HadoopRelease release) {
    this.files = files;
    this.watchdog = watchdog;
    hadoopClassPath = servers.classPath(release.folder());
    configure(NAME_NODE, nameNodeSettings());
    configure(DATA_NODE, dataNodeSettings());
    nameNode =
        new ServerProcess(
            NAME_NODE,
            command(NAME_NODE, "org.apache.hadoop.hdfs.server.namenode.NameNode", List.of()),
            files,
            jmxCheck("NameNodeStatus", bean -> Optional.empty()),
            watchdog);
    dataNode =
        new ServerProcess(
            DATA_NODE,
            command(DATA_NODE, "org.apache.hadoop.hdfs.server.datanode.DataNode", List.of()),
            files,
            jmxCheck("NameNodeInfo", Hdfs::notServing),
            watchdog);
  }

  private void configure(String node, Map<String, String> settings) {
    String user = System.getProperty("user.name");
    files.writeXml(
        node,
        "core-site.xml",
        Map.of(
            "fs.defaultFS",
            uri().toString(),
            "hadoop.tmp.dir",
            files.data(node).resolve("tmp").toString(),
            "hadoop.proxyuser." + user + ".hosts",
            "*",
            "hadoop.proxyuser." + user + ".groups",
            "*",
            // Other users of the tests are in no group.
            "hadoop.user.group.static.mapping.overrides",
            "dr.who=;" + READERS + "=" + READERS));
    settings.put("dfs.replication", "1");
    files.writeXml(node, "hdfs-site.xml", settings);
    for (String webapp : List.of("hdfs", "datanode", "static")) {
      Path folder = files.conf(node).resolve("webapps").resolve(webapp);
      try {
        Files.createDirectories(folder);
      } catch (IOException e) {
        throw new UncheckedIOException(folder + " cannot be created", e);
      }
    }
  }

  private Map<String, String> nameNodeSettings() {
    Map<String, String> settings = new HashMap<>();
    settings.put("dfs.namenode.name.dir", files.data(NAME_NODE).resolve("name").toUri().toString());
    settings.put("dfs.namenode.rpc-address", "localhost:" + rpcPort);
    settings.put("dfs.namenode.http-address", "localhost:" + httpPort);
    settings.put("dfs.namenode.safemode.extension", "0");
    settings.put("dfs.namenode.datanode.registration.ip-hostname-check", "false");
    return settings;
  }

  private Map<String, String> dataNodeSettings() {
    Map<String, String> settings = new HashMap<>();
    settings.put(
        "dfs.datanode.data.dir", files.data(DATA_NODE).resolve("blocks").toUri().toString());
    settings.put("dfs.datanode.hostname", "localhost");
    settings.put("dfs.datanode.address", dataNodeAddress);
    settings.put("dfs.datanode.http.address", "localhost:" + FreePorts.next());
    settings.put("dfs.datanode.ipc.address", "localhost:" + FreePorts.next());
    settings.put("dfs.heartbeat.interval", "1");
    return settings;
  }

  private JavaCommand command(String node, String mainClass, List<String> arguments) {
    return new JavaCommand(
        files.conf(node) + File.pathSeparator + hadoopClassPath,
        mainClass,
        HEAP_MEGABYTES,
        List.of(
            JavaCommand.FIRST_COMPILER,
            // JAXB, under the REST API of the name node, defines classes by reflection.
            "--add-opens=java.base/java.lang=ALL-UNNAMED",
            LoggingConfig.log4j1(files, node)),
        arguments);
  }

  @Override
  void prepare() {
    Tool.run(
        NAME_NODE,
        command(
            NAME_NODE,
            "org.apache.hadoop.hdfs.server.namenode.NameNode",
            List.of("-format", "-nonInteractive")),
        Map.of(),
        files,
        watchdog);
  }

  @Override
  void start() {
    nameNode.launch();
    dataNode.start();
  }

  /** Returns the URI of the file system. Example: {@code hdfs://localhost:23456}. */
  public URI uri() {
    return URI.create("hdfs://localhost:" + rpcPort);
  }

  /** Returns the URL of the name node's web server. Example: {@code http://localhost:23456}. */
  public URI webUrl() {
    return URI.create("http://localhost:" + httpPort);
  }

  /**
   * Returns the address at which the data node reads and writes blocks. Example: {@code
   * localhost:23456}.
   */
  public String dataNodeAddress() {
    return dataNodeAddress;
  }

  public ServerProcess nameNode() {
    return nameNode;
  }

  public ServerProcess dataNode() {
    return dataNode;
  }

  @Override
  List<ServerProcess> processes() {
    return List.of(nameNode, dataNode);
  }

  /** Waits until a data node has reported and the name node has left safe mode. */
  public void awaitServing() {
    HealthCheck serving = jmxCheck("NameNodeInfo", Hdfs::notServing);
    Polling.until("HDFS serves", Duration.ofMinutes(3), serving::problem);
  }

  /** Enters safe mode: the name node refuses all changes until {@link #leaveSafeMode}. */
  public void enterSafeMode() {
    admin("-safemode", "enter");
  }

  public void leaveSafeMode() {
    admin("-safemode", "leave");
  }

  /**
   * Sets a directory's space quota. An open block counts with its full size, so nothing can be
   * written below a directory whose quota is less than a block.
   */
  public void limitSpace(String directory, long bytes) {
    admin("-setSpaceQuota", Long.toString(bytes), directory);
  }

  /** Removes a directory's space quota. */
  public void unlimitSpace(String directory) {
    admin("-clrSpaceQuota", directory);
  }

  private void admin(String... arguments) {
    Tool.run(
        NAME_NODE,
        command(NAME_NODE, "org.apache.hadoop.hdfs.tools.DFSAdmin", List.of(arguments)),
        Map.of(),
        files,
        watchdog);
  }

  /** Returns the files over HTTP, to read them without Hadoop's client. */
  public WebHdfs files() {
    return new WebHdfs(webUrl().resolve("/webhdfs/v1"), System.getProperty("user.name"));
  }

  /** Returns the files over HTTP as another user, who has only the rights of the files' modes. */
  public WebHdfs filesAs(String user) {
    return new WebHdfs(webUrl().resolve("/webhdfs/v1"), user);
  }

  private HealthCheck jmxCheck(String bean, Function<JsonNode, Optional<String>> problem) {
    URI uri = webUrl().resolve("/jmx?qry=Hadoop:service=NameNode,name=" + bean);
    return new HttpCheck(uri, body -> beanIn(body).map(problem).orElse(Optional.of("no " + bean)));
  }

  private static Optional<JsonNode> beanIn(String body) {
    return Optional.ofNullable(parsed(body).path("beans").get(0));
  }

  private static JsonNode parsed(String json) {
    try {
      return JSON.readTree(json);
    } catch (JsonProcessingException e) {
      return MissingNode.getInstance();
    }
  }

  /**
   * Returns why the cluster does not serve; empty if the name node has left safe mode and a data
   * node reported recently. A killed data node is listed as live for minutes.
   *
   * <p>Example of {@code LiveNodes}, a text: <code>{"localhost:23456": {"lastContact": 0, …}}
   * </code>
   */
  private static Optional<String> notServing(JsonNode nameNodeInfo) {
    String safeMode = nameNodeInfo.path("Safemode").asText();
    if (!safeMode.isEmpty()) {
      return Optional.of(safeMode);
    }
    for (JsonNode dataNode : parsed(nameNodeInfo.path("LiveNodes").asText())) {
      if (dataNode.path("lastContact").asLong() <= SILENT_SECONDS) {
        return Optional.empty();
      }
    }
    return Optional.of("no data node reports to the name node");
  }
}
