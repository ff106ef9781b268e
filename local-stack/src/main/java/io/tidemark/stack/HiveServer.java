package io.tidemark.stack;

import io.tidemark.stack.release.MetastoreRelease;
import io.tidemark.stack.security.Realm;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * HiveServer2, queried over JDBC. Safe for use by several threads: it runs one statement at a time,
 * because Hive's mapper keeps its state in static fields. Two queries at once would lose records.
 */
public final class HiveServer extends StackService {

  private static final String NAME = "hive-server";
  private static final int HEAP_MEGABYTES = 1_024;
  private static final String FROM_SUBJECT = ";auth=kerberos;kerberosAuthType=fromSubject";

  private final int port = FreePorts.next();
  private final Optional<Security> security;
  private final HiveClient client;
  private final HiveFiles hive;
  private final ServerProcess process;

  HiveServer(
      InstalledServers servers,
      StackFiles files,
      Hdfs hdfs,
      HiveMetastore metastore,
      Watchdog watchdog) {
    security = hdfs.security();
    client = clientAs(Security.HIVE_SERVER);
    hive = new HiveFiles(servers, files, hdfs, MetastoreRelease.HIVE_4_0);
    Map<String, String> settings = settings(files.data(NAME));
    settings.putAll(metastore.clientSettings());
    security.ifPresent(s -> secure(s, settings));
    hive.configure(NAME, settings);
    process =
        new ServerProcess(
            NAME,
            hive.command(
                NAME,
                "org.apache.hive.service.server.HiveServer2",
                HEAP_MEGABYTES,
                List.of(JavaCommand.FIRST_COMPILER)),
            files,
            this::problem,
            watchdog);
  }

  private Map<String, String> settings(Path data) {
    Map<String, String> settings = new HashMap<>();
    settings.put("hive.server2.thrift.bind.host", "localhost");
    settings.put("hive.server2.thrift.port", Integer.toString(port));
    settings.put("hive.server2.webui.port", "0");
    settings.put("hive.server2.enable.doAs", "false");
    settings.put("hive.server2.logging.operation.enabled", "false");
    settings.put("hive.server2.materializedviews.registry.impl", "DUMMY");
    settings.put("hive.server2.tez.initialize.default.sessions", "false");
    settings.put("hive.scheduled.queries.executor.enabled", "false");
    settings.put("hive.support.concurrency", "false");
    settings.put("hive.txn.manager", "org.apache.hadoop.hive.ql.lockmgr.DummyTxnManager");
    settings.put("hive.stats.autogather", "false");
    // A count must read the records, not the statistics in the Metastore.
    settings.put("hive.compute.query.using.stats", "false");
    settings.put("hive.execution.engine", "mr");
    settings.put("mapreduce.framework.name", "local");
    // Most jobs are shorter than Hive's default polling interval of one second.
    settings.put("hive.exec.counters.pull.interval", "50");
    // Two mappers at once in one JVM lose records: see the class comment.
    settings.put("mapreduce.local.map.tasks.maximum", "1");
    settings.put("hive.exec.submit.local.task.via.child", "false");
    settings.put("hive.exec.scratchdir", "/tmp/hive");
    settings.put("hive.exec.local.scratchdir", data.resolve("scratch").toString());
    settings.put("hive.downloaded.resources.dir", data.resolve("resources").toString());
    settings.put("hive.querylog.location", data.resolve("query-log").toString());
    return settings;
  }

  private static void secure(Security security, Map<String, String> settings) {
    settings.put("hive.server2.authentication", "KERBEROS");
    security.login(
        settings,
        "hive.server2.authentication.kerberos.principal",
        "hive.server2.authentication.kerberos.keytab",
        Security.HIVE_SERVER);
    settings.put("hive.server2.thrift.sasl.qop", security.options().protection().qop());
    // Hive asks for the principal of a resource manager, although jobs run in its own process.
    settings.put("yarn.resourcemanager.principal", Realm.principal(Security.HIVE_SERVER));
  }

  @Override
  void prepare() {
    hive.compile(NAME, CompiledClasses.FIXED_PROTECTION, CompiledClasses.SECURE_IO);
  }

  @Override
  void start() {
    process.start();
  }

  public ServerProcess process() {
    return process;
  }

  @Override
  List<ServerProcess> processes() {
    return List.of(process);
  }

  /** Returns the URL for JDBC clients. Example: {@code jdbc:hive2://localhost:23456/default}. */
  public String jdbcUrl() {
    String url = "jdbc:hive2://localhost:" + port + "/default";
    return security
        .map(
            s ->
                "%s;principal=%s;saslQop=%s"
                    .formatted(
                        url, Realm.principal(Security.HIVE_SERVER), s.options().protection().qop()))
        .orElse(url);
  }

  /**
   * Returns a client that queries as a principal of a secured stack, one statement at a time. In
   * another stack the principal has no effect.
   */
  public HiveClient clientAs(String principal) {
    return security
        .map(s -> HiveClient.of(jdbcUrl() + FROM_SUBJECT, s.client(principal)))
        .orElseGet(() -> HiveClient.of(jdbcUrl()));
  }

  /** Returns the rows of a query, each with its columns in order; the cells are JDBC's objects. */
  public synchronized List<List<@Nullable Object>> query(String sql) throws SQLException {
    return client.query(sql);
  }

  /** Runs statements without results, all in one session. */
  public synchronized void execute(String... statements) throws SQLException {
    client.execute(statements);
  }

  private Optional<String> problem() {
    try {
      return query("SHOW DATABASES").isEmpty()
          ? Optional.of("the Metastore has no database")
          : Optional.empty();
    } catch (SQLException e) {
      return Optional.of("SHOW DATABASES at " + jdbcUrl() + " failed: " + e.getMessage());
    }
  }
}
