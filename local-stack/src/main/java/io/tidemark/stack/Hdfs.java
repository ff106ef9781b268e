package io.tidemark.stack;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.stack.release.HadoopRelease;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * HDFS with a data node, and one copy of each block. It has one name node; or it is highly
 * available (HA), with several name nodes and three journal nodes. Its superuser is the user of
 * this JVM, or {@link Security#NAME_NODE} in a secured stack.
 *
 * <p>This is one class, because a failover and the end of an outage concern all these processes.
 */
public final class Hdfs extends StackService {

  /** A user who may read the tables, and their group. */
  public static final String READERS = "hive";

  private static final String CLIENT = "hadoop-client";
  private static final String DATA_NODE = "data-node";
  private static final int HEAP_MEGABYTES = 320;
  private static final int HEAP_OF_JOURNAL_MEGABYTES = 128;

  private final StackFiles files;
  private final Watchdog watchdog;
  private final String hadoopClassPath;
  private final HdfsSettings settings;
  private final Optional<Security> security;
  private final List<NameNode> nameNodes = new ArrayList<>();
  private final List<ServerProcess> journalNodes = new ArrayList<>();
  private final Disks disks;
  private final ServerProcess dataNode;
  private final HdfsJmx jmx;
  private volatile @Nullable NameNode activated;

  Hdfs(
      InstalledServers servers,
      StackFiles files,
      Watchdog watchdog,
      HadoopRelease release,
      HdfsSettings settings,
      boolean recordsForcedFiles) {
    this.files = files;
    this.disks = new Disks(files.logs(), recordsForcedFiles);
    this.watchdog = watchdog;
    this.settings = settings;
    this.security = settings.security();
    jmx = new HdfsJmx(security.map(s -> s.webClient(Security.PROBE)).orElseGet(WebClient::new));
    files.writeXml(CLIENT, "core-site.xml", settings.client());
    files.writeXml(CLIENT, "hdfs-site.xml", settings.client());
    security.ifPresent(s -> s.writeTls(files, CLIENT));
    hadoopClassPath = servers.classPath(release.folder());
    for (int i = 0; i < settings.journalNodes().size(); i++) {
      journalNodes.add(journalNode(i));
    }
    for (int i = 0; i < settings.nameNodes().size(); i++) {
      nameNodes.add(nameNode(i));
    }
    configure(DATA_NODE, settings.dataNode(files.data(DATA_NODE)));
    dataNode =
        process(
            DATA_NODE,
            command(DATA_NODE, "org.apache.hadoop.hdfs.server.datanode.DataNode", List.of()),
            () -> jmx.serving(webUrl()).problem());
  }

  private ServerProcess journalNode(int index) {
    String name = "journal-node-" + (index + 1);
    configure(name, settings.journalNode(index, files.data(name)));
    return process(
        name,
        command(
            name,
            "org.apache.hadoop.hdfs.qjournal.server.JournalNode",
            HEAP_OF_JOURNAL_MEGABYTES,
            List.of()),
        jmx.check(
            settings.webUrl(settings.journalNodes().get(index)),
            "JournalNode",
            "JournalNodeInfo",
            bean -> Optional.empty()));
  }

  private NameNode nameNode(int index) {
    String name = settings.isNameService() ? "name-node-" + (index + 1) : "name-node";
    HdfsSettings.Ports ports = settings.nameNodes().get(index);
    configure(name, settings.nameNode(index, files.data(name)));
    URI webUrl = settings.webUrl(ports);
    return new NameNode(
        HdfsSettings.id(index),
        ports.rpcAddress(),
        webUrl,
        process(
            name,
            command(name, "org.apache.hadoop.hdfs.server.namenode.NameNode", List.of()),
            jmx.check(webUrl, "NameNode", "NameNodeStatus", bean -> Optional.empty())));
  }

  private ServerProcess process(String name, JavaCommand command, HealthCheck check) {
    return new ServerProcess(name, disks.recording(name, command), files, check, watchdog);
  }

  private void configure(String node, Map<String, String> hdfsSite) {
    files.writeXml(node, "core-site.xml", settings.core(files.data(node)));
    files.writeXml(node, "hdfs-site.xml", hdfsSite);
    security.ifPresent(s -> s.writeTls(files, node));
    for (String webapp : List.of("hdfs", "datanode", "journal", "static")) {
      Path folder = files.conf(node).resolve("webapps").resolve(webapp);
      try {
        Files.createDirectories(folder);
      } catch (IOException e) {
        throw new UncheckedIOException(folder + " cannot be created", e);
      }
    }
  }

  private JavaCommand command(String node, String mainClass, List<String> arguments) {
    return command(node, mainClass, HEAP_MEGABYTES, arguments);
  }

  private JavaCommand command(
      String node, String mainClass, int heapMegabytes, List<String> arguments) {
    List<String> jvmOptions =
        List.of(
            JavaCommand.FIRST_COMPILER,
            // JAXB, under the REST API of the name node, defines classes by reflection.
            "--add-opens=java.base/java.lang=ALL-UNNAMED",
            LoggingConfig.log4j1(files, node));
    return new JavaCommand(
        files.conf(node) + File.pathSeparator + hadoopClassPath,
        mainClass,
        heapMegabytes,
        security.map(s -> s.with(jvmOptions)).orElse(jvmOptions),
        arguments);
  }

  /** Formats the only name node; several of them need the journal nodes. */
  @Override
  void prepare() {
    if (security.isPresent()) {
      for (NameNode node : nameNodes) {
        String name = node.process().name();
        new CompiledClasses(name, files.conf(name), hadoopClassPath)
            .compile(CompiledClasses.POLICY_PROVIDER);
      }
    }
    if (!settings.isNameService()) {
      format();
    }
  }

  private void format() {
    String node = nameNodes.get(0).process().name();
    String conf = node;
    if (security.isPresent() && !settings.isNameService()) {
      // The KDC may not run yet, and a format without journal nodes needs no login.
      conf = node + "-format";
      files.writeXml(conf, "core-site.xml", Map.of("fs.defaultFS", uri().toString()));
      Map<String, String> hdfsSite = settings.nameNode(0, files.data(node));
      hdfsSite.remove(HdfsSettings.AUTHORIZER);
      files.writeXml(conf, "hdfs-site.xml", hdfsSite);
    }
    Tool.run(
        node,
        command(
            conf,
            "org.apache.hadoop.hdfs.server.namenode.NameNode",
            List.of("-format", "-nonInteractive")),
        files,
        watchdog);
  }

  @Override
  void start() {
    if (settings.isNameService()) {
      journalNodes.forEach(ServerProcess::launch);
      journalNodes.forEach(ServerProcess::awaitReady);
      format();
      copyFormatted();
    }
    nameNodes.forEach(node -> node.process().launch());
    dataNode.launch();
    if (settings.isNameService()) {
      nameNodes.forEach(node -> node.process().awaitReady());
      activate(nameNodes.get(0));
    }
    dataNode.awaitReady();
    security.ifPresent(s -> makeDirectories());
  }

  /** Copies the empty file system of the first name node to the others, as they have none. */
  private void copyFormatted() {
    Path name = files.data(nameNodes.get(0).process().name()).resolve("name");
    for (NameNode other : nameNodes.subList(1, nameNodes.size())) {
      PreparedData.copy(name, files.data(other.process().name()).resolve("name"));
    }
  }

  /** Users have no rights in a new file system, except in these directories. */
  private void makeDirectories() {
    WebHdfs all = files();
    try {
      all.setOwner("/", Security.SUPERUSER);
      for (String shared :
          List.of("/tmp", "/warehouse", "/warehouse/managed", "/warehouse/external")) {
        all.makeDirectories(shared);
        all.setPermission(shared, shared.equals("/tmp") ? "1777" : "777");
      }
      for (String user : List.of("hive", "hs2")) {
        all.makeDirectories("/user/" + user);
        all.setOwner("/user/" + user, user);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("the directories of users cannot be made", e);
    }
  }

  /**
   * Returns the URI of the file system. Examples: {@code hdfs://localhost:23456}, {@code
   * hdfs://ns1}.
   */
  public URI uri() {
    return settings.uri();
  }

  Optional<Security> security() {
    return security;
  }

  /**
   * Returns a folder with the same settings for clients, in {@code core-site.xml} and {@code
   * hdfs-site.xml}.
   */
  public Path clientConfiguration() {
    return files.conf(CLIENT);
  }

  /** Returns all that the configuration of a client of Hadoop needs. */
  public Map<String, String> clientSettings() {
    return settings.client();
  }

  /**
   * Returns the URL of the web server of the active name node. Example: {@code
   * http://localhost:23456}.
   */
  public URI webUrl() {
    return active().webUrl();
  }

  /**
   * Returns the address at which the data node reads and writes blocks. Example: {@code
   * localhost:23456}.
   */
  public String dataNodeAddress() {
    return settings.dataNode().rpcAddress();
  }

  /** Returns the only name node, or the first one. */
  public ServerProcess nameNode() {
    return nameNodes.get(0).process();
  }

  /** Returns all name nodes. */
  public List<NameNode> nameNodes() {
    return List.copyOf(nameNodes);
  }

  /** Returns the journal nodes and their addresses; empty without HA. */
  public Map<ServerProcess, String> journalNodes() {
    Map<ServerProcess, String> addresses = new LinkedHashMap<>();
    for (int i = 0; i < journalNodes.size(); i++) {
      addresses.put(journalNodes.get(i), settings.journalNodes().get(i).rpcAddress());
    }
    return addresses;
  }

  public ServerProcess dataNode() {
    return dataNode;
  }

  @Override
  List<ServerProcess> processes() {
    List<ServerProcess> all = new ArrayList<>(journalNodes);
    nameNodes.forEach(node -> all.add(node.process()));
    all.add(dataNode);
    return all;
  }

  /**
   * Returns the active name node, by its own word; the first one if none answers that it is active.
   * A name node that was suspended while another became active may answer so too, until it writes.
   */
  public NameNode active() {
    return nameNodes.size() == 1
        ? nameNodes.get(0)
        : nameNodes.stream().filter(this::isActive).findFirst().orElse(nameNodes.get(0));
  }

  /** Returns whether a name node answers that it is active. */
  public boolean isActive(NameNode node) {
    return node.process().isAlive()
        && jmx.check(
                node.webUrl(),
                "NameNode",
                "NameNodeStatus",
                bean -> {
                  String state = bean.path("State").asText();
                  return state.equals("active") ? Optional.empty() : Optional.of(state);
                })
            .problem()
            .isEmpty();
  }

  /** Returns a name node that runs and is not the given one. */
  public NameNode otherThan(NameNode node) {
    return nameNodes.stream()
        .filter(other -> !other.equals(node) && other.process().isAlive())
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("no name node runs beside " + node));
  }

  /**
   * Makes another name node the active one, as an operator would: the active one steps back first.
   * Returns the new active name node.
   */
  public NameNode failOver() {
    NameNode from = active();
    NameNode to = otherThan(from);
    haAdmin("-failover", from.id(), to.id());
    activated = to;
    return to;
  }

  /** Makes a name node the active one, without a request to the others, which may be down. */
  public void activate(NameNode node) {
    haAdmin("-transitionToActive", "--forceactive", node.id());
    activated = node;
  }

  /** Makes a standby name node an observer, which answers reads. */
  public void makeObserver(NameNode node) {
    haAdmin("-transitionToObserver", node.id());
  }

  /** Makes an observer a standby name node again. */
  public void makeStandby(NameNode node) {
    haAdmin("-transitionToStandby", node.id());
  }

  /**
   * Kills the data node as a loss of power would: what was written to files that are not closed is
   * lost with it, and if the stack records them, all that was not forced to the disk. It is started
   * again. Returns the files of the data node that were lost.
   */
  public List<Path> losePowerOfDataNode() {
    dataNode.kill();
    List<Path> lost = disks.losePower(DATA_NODE, files.data(DATA_NODE).resolve("blocks"));
    dataNode.launch();
    return lost;
  }

  /** Returns the file in which the data node has the bytes of a block. */
  public Path fileOfBlock(long id) {
    try (Stream<Path> all = Files.walk(files.data(DATA_NODE).resolve("blocks"))) {
      return all.filter(file -> file.endsWith("blk_" + id)).findFirst().orElseThrow();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns what a server of a stack that records it has forced to its disks. */
  public ForcedFiles forcedFiles(ServerProcess server) {
    return disks.forcedFiles(server.name());
  }

  /**
   * Restarts the data node, with these settings in addition to its own, until the next call.
   * Example: {@code dfs.datanode.synconclose=true}.
   */
  public void restartDataNode(Map<String, String> additional) {
    Map<String, String> all = settings.dataNode(files.data(DATA_NODE));
    all.putAll(additional);
    files.writeXml(DATA_NODE, "hdfs-site.xml", all);
    dataNode.kill();
    dataNode.start();
    awaitDataNode();
    awaitServing();
  }

  /** Waits until the data node itself says so: name nodes notice late that it was down. */
  private void awaitDataNode() {
    HealthCheck registered =
        jmx.check(
            settings.webUrl(settings.dataNode()),
            "DataNode",
            "DataNodeInfo",
            bean -> {
              JsonNode nameNodes = HdfsJmx.parsed(bean.path("BPServiceActorInfo").asText());
              for (JsonNode nameNode : nameNodes) {
                if (!nameNode.path("ActorState").asText().equals("RUNNING")) {
                  return Optional.of(nameNode.toString());
                }
              }
              return nameNodes.isEmpty() ? Optional.of("no name node") : Optional.empty();
            });
    Polling.until(
        "the data node has registered with all name nodes",
        Duration.ofMinutes(2),
        registered::problem);
  }

  /** Returns how often a name node was called. Example: {@code GetFileInfoNumOps}. */
  public long callsOf(NameNode node, String name) {
    return jmx.metric(node.webUrl(), "NameNode,name=RpcDetailedActivityForPort*", name);
  }

  /**
   * Kills the active name node as a loss of power would, and returns it. No other becomes active.
   */
  public NameNode killActive() {
    NameNode killed = active();
    killed.process().kill();
    return killed;
  }

  /**
   * Suspends the active name node (SIGSTOP), and returns it; {@link ServerProcess#resume()} wakes
   * it. No other becomes active.
   */
  public NameNode suspendActive() {
    NameNode suspended = active();
    suspended.process().suspend();
    return suspended;
  }

  /**
   * Restarts all name nodes, with these settings in addition to their own, until the next call. The
   * first one becomes active. Example: {@code dfs.namenode.enable.retrycache=false}.
   */
  public void restartNameNodes(Map<String, String> additional) {
    for (int i = 0; i < nameNodes.size(); i++) {
      ServerProcess process = nameNodes.get(i).process();
      Map<String, String> all = settings.nameNode(i, files.data(process.name()));
      all.putAll(additional);
      files.writeXml(process.name(), "hdfs-site.xml", all);
      process.kill();
      process.launch();
    }
    mend();
  }

  /**
   * Wakes and restarts nodes until all run and one name node is active, the last that was made so.
   */
  public void mend() {
    for (ServerProcess each : processes()) {
      if (!each.isAlive()) {
        each.launch();
      }
      each.resume();
    }
    nameNodes.forEach(node -> node.process().awaitReady());
    if (settings.isNameService()) {
      mendNameService();
    }
    // A standby node in safe mode cannot become active.
    nameNodes.forEach(node -> awaitServing(node::webUrl));
  }

  private void mendNameService() {
    awaitDataNode();
    List<NameNode> active = nameNodes.stream().filter(this::isActive).toList();
    if (active.isEmpty()) {
      activate(nameNodes.get(0));
    } else if (active.size() > 1) {
      for (NameNode former : active) {
        if (!former.equals(activated)) {
          former.process().kill();
          former.process().start();
        }
      }
    }
  }

  private void haAdmin(String... arguments) {
    tool("org.apache.hadoop.hdfs.tools.DFSHAAdmin", arguments);
  }

  /** Waits until a data node has reported and the name node has left safe mode. */
  public void awaitServing() {
    awaitServing(this::webUrl);
  }

  private void awaitServing(Supplier<URI> nameNode) {
    Polling.until(
        "HDFS serves", Duration.ofMinutes(3), () -> jmx.serving(nameNode.get()).problem());
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

  /** Closes a file that its writer left open, {@code hdfs debug recoverLease}. */
  public void recoverLease(String path) {
    tool(
        "org.apache.hadoop.hdfs.tools.DebugAdmin", "recoverLease", "-path", path, "-retries", "10");
  }

  /**
   * Takes a user's right to act for other users at the name nodes ({@code hadoop.proxyuser.*}),
   * until {@link #permitProxyUsers}.
   */
  public void forbidProxyUser(String user) {
    setProxyUsers(key -> !key.startsWith("hadoop.proxyuser.%s.".formatted(user)));
  }

  /** Lets all users of this stack's settings act for others again. */
  public void permitProxyUsers() {
    setProxyUsers(key -> true);
  }

  private void setProxyUsers(Predicate<String> isKept) {
    for (NameNode node : nameNodes) {
      String name = node.process().name();
      Map<String, String> core = settings.core(files.data(name));
      core.keySet().removeIf(key -> !isKept.test(key));
      files.writeXml(name, "core-site.xml", core);
    }
    admin("-refreshSuperUserGroupsConfiguration");
  }

  private void admin(String... arguments) {
    tool("org.apache.hadoop.hdfs.tools.DFSAdmin", arguments);
  }

  private void tool(String mainClass, String... arguments) {
    String node = nameNode().name();
    JavaCommand command = command(node, mainClass, List.of(arguments));
    Tool.run(
        node,
        security.map(s -> command.with(s.environment(Security.NAME_NODE))).orElse(command),
        files,
        watchdog);
  }

  /** Returns the files over HTTP, to read them without Hadoop's client, as the superuser. */
  public WebHdfs files() {
    return filesAs(security.isPresent() ? Security.NAME_NODE : System.getProperty("user.name"));
  }

  /**
   * Returns the files over HTTP as another user, who has only the rights of the files' modes.
   *
   * @param user the name; the principal in a secured stack
   */
  public WebHdfs filesAs(String user) {
    return new WebHdfs(
        security.map(s -> s.webClient(user)).orElseGet(WebClient::new),
        () -> webUrl().resolve("/webhdfs/v1"),
        user);
  }
}
