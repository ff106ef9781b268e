package io.tidemark.stack;

import java.net.URI;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The settings of the servers and clients of {@link Hdfs}. Several name nodes are a name service,
 * which has three journal nodes.
 *
 * @param nameNodes the ports of the name nodes
 * @param journalNodes the ports of the journal nodes; empty if there is one name node
 * @param properties properties of all servers that override these
 */
record HdfsSettings(
    List<Ports> nameNodes,
    List<Ports> journalNodes,
    Ports dataNode,
    int dataNodeIpcPort,
    Optional<Security> security,
    Map<String, String> properties) {

  /** The name of the name service. */
  static final String NAME_SERVICE = "ns1";

  /** The key of the authorizer of name nodes. */
  static final String AUTHORIZER = "dfs.namenode.inode.attributes.provider.class";

  private static final int JOURNAL_NODES = 3;

  /** The ports of one node: for its clients or its peers, and of its web server. */
  record Ports(int rpc, int web) {
    private static List<Ports> several(int count) {
      return Stream.generate(Ports::free).limit(count).toList();
    }

    private static Ports free() {
      return new Ports(FreePorts.next(), FreePorts.next());
    }

    String rpcAddress() {
      return "localhost:" + rpc;
    }

    String webAddress() {
      return "localhost:" + web;
    }
  }

  static HdfsSettings of(
      int nameNodes, Optional<Security> security, Map<String, String> properties) {
    if (nameNodes < 1) {
      throw new IllegalArgumentException(nameNodes + " name nodes: at least 1 is needed");
    }
    return new HdfsSettings(
        Ports.several(nameNodes),
        Ports.several(nameNodes == 1 ? 0 : JOURNAL_NODES),
        Ports.free(),
        FreePorts.next(),
        security,
        Map.copyOf(properties));
  }

  boolean isNameService() {
    return nameNodes.size() > 1;
  }

  /** Returns the name of a name node in the name service. Example: {@code n1} for 0. */
  static String id(int index) {
    return "n" + (index + 1);
  }

  URI uri() {
    return URI.create("hdfs://" + (isNameService() ? NAME_SERVICE : nameNodes.get(0).rpcAddress()));
  }

  URI webUrl(Ports node) {
    return URI.create((security.isPresent() ? "https://" : "http://") + node.webAddress());
  }

  /** Returns what the configuration of a client needs. */
  Map<String, String> client() {
    Map<String, String> settings = new HashMap<>();
    settings.put("fs.defaultFS", uri().toString());
    settings.put("dfs.replication", "1");
    security.ifPresent(s -> settings.putAll(s.clientSettings()));
    if (isNameService()) {
      settings.putAll(nameService());
    }
    return settings;
  }

  private Map<String, String> nameService() {
    Map<String, String> settings = new HashMap<>();
    settings.put("dfs.nameservices", NAME_SERVICE);
    settings.put(
        "dfs.ha.namenodes." + NAME_SERVICE,
        IntStream.range(0, nameNodes.size())
            .mapToObj(HdfsSettings::id)
            .collect(Collectors.joining(",")));
    settings.put(
        "dfs.client.failover.proxy.provider." + NAME_SERVICE,
        "org.apache.hadoop.hdfs.server.namenode.ha.ConfiguredFailoverProxyProvider");
    for (int i = 0; i < nameNodes.size(); i++) {
      settings.put(ofNameNode("rpc", i), nameNodes.get(i).rpcAddress());
      settings.put(ofNameNode(webScheme(), i), nameNodes.get(i).webAddress());
    }
    return settings;
  }

  private String webScheme() {
    return security.isPresent() ? "https" : "http";
  }

  private static String ofNameNode(String kind, int index) {
    return "dfs.namenode.%s-address.%s.%s".formatted(kind, NAME_SERVICE, id(index));
  }

  /** Returns the settings of a server's {@code core-site.xml}. */
  Map<String, String> core(Path data) {
    Map<String, String> settings = new HashMap<>();
    security.ifPresent(s -> settings.putAll(s.serverSettings()));
    String user = System.getProperty("user.name");
    settings.put("fs.defaultFS", uri().toString());
    settings.put("hadoop.tmp.dir", data.resolve("tmp").toString());
    settings.put("hadoop.proxyuser." + user + ".hosts", "*");
    settings.put("hadoop.proxyuser." + user + ".groups", "*");
    // Other users of the tests are in no group. Those of a secured stack are.
    settings.putIfAbsent(
        "hadoop.user.group.static.mapping.overrides",
        "dr.who=;" + Hdfs.READERS + "=" + Hdfs.READERS);
    if (isNameService()) {
      // A name node must notice within seconds that another one is down.
      settings.put("ipc.client.connect.max.retries", "1");
      settings.put("ipc.client.connect.retry.interval", "200");
    }
    return settings;
  }

  /** Returns {@code hdfs-site.xml} of a name node. */
  Map<String, String> nameNode(int index, Path data) {
    Map<String, String> settings = server();
    settings.put("dfs.namenode.name.dir", data.resolve("name").toUri().toString());
    settings.put("dfs.namenode.safemode.extension", "0");
    settings.put("dfs.namenode.datanode.registration.ip-hostname-check", "false");
    if (security.isPresent()) {
      settings.put(AUTHORIZER, "io.tidemark.stack.PolicyProvider");
    }
    if (isNameService()) {
      settings.put("dfs.ha.namenode.id", id(index));
      settings.put("dfs.namenode.shared.edits.dir", sharedEdits());
      // Nobody fences: the journal nodes reject a name node that is no longer the active one.
      settings.put("dfs.ha.fencing.methods", "shell(/bin/true)");
      settings.put("dfs.ha.automatic-failover.enabled", "false");
      settings.put("dfs.ha.tail-edits.period", "1s");
      settings.put("dfs.ha.log-roll.period", "10s");
    } else {
      settings.put("dfs.namenode.rpc-address", nameNodes.get(0).rpcAddress());
      settings.put("dfs.namenode.%s-address".formatted(webScheme()), nameNodes.get(0).webAddress());
    }
    settings.putAll(properties);
    return settings;
  }

  private String sharedEdits() {
    return journalNodes.stream()
        .map(Ports::rpcAddress)
        .collect(Collectors.joining(";", "qjournal://", "/" + NAME_SERVICE));
  }

  /** Returns {@code hdfs-site.xml} of the data node. */
  Map<String, String> dataNode(Path data) {
    Map<String, String> settings = server();
    settings.put("dfs.datanode.data.dir", data.resolve("blocks").toUri().toString());
    settings.put("dfs.datanode.hostname", "localhost");
    settings.put("dfs.datanode.address", dataNode.rpcAddress());
    settings.put("dfs.datanode.%s.address".formatted(webScheme()), dataNode.webAddress());
    settings.put("dfs.datanode.ipc.address", "localhost:" + dataNodeIpcPort);
    settings.put("dfs.heartbeat.interval", "1");
    settings.putAll(properties);
    return settings;
  }

  /** Returns {@code hdfs-site.xml} of a journal node. */
  Map<String, String> journalNode(int index, Path data) {
    Ports ports = journalNodes.get(index);
    Map<String, String> settings = server();
    settings.put("dfs.journalnode.edits.dir", data.resolve("edits").toString());
    // For observers: they read edits before a segment of the log ends.
    settings.put("dfs.ha.tail-edits.in-progress", "true");
    settings.put("dfs.journalnode.rpc-address", ports.rpcAddress());
    settings.put("dfs.journalnode.%s-address".formatted(webScheme()), ports.webAddress());
    settings.putAll(properties);
    return settings;
  }

  private Map<String, String> server() {
    Map<String, String> settings = new HashMap<>();
    settings.put("dfs.replication", "1");
    if (isNameService()) {
      settings.putAll(nameService());
    }
    security.ifPresent(s -> secure(s, settings));
    return settings;
  }

  private static void secure(Security security, Map<String, String> settings) {
    // In core-site.xml they would have no effect: the defaults of HDFS come after that file.
    security.clientSettings().entrySet().stream()
        .filter(entry -> entry.getKey().startsWith("dfs."))
        .forEach(entry -> settings.put(entry.getKey(), entry.getValue()));
    settings.put("dfs.block.access.token.enable", "true");
    security.login(
        settings,
        "dfs.namenode.kerberos.principal",
        "dfs.namenode.keytab.file",
        Security.NAME_NODE);
    security.login(
        settings,
        "dfs.datanode.kerberos.principal",
        "dfs.datanode.keytab.file",
        Security.DATA_NODE);
    security.login(
        settings,
        "dfs.journalnode.kerberos.principal",
        "dfs.journalnode.keytab.file",
        Security.JOURNAL_NODE);
    security.login(
        settings,
        "dfs.web.authentication.kerberos.principal",
        "dfs.web.authentication.kerberos.keytab",
        Security.WEB);
  }
}
