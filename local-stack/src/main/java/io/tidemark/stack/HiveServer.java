package io.tidemark.stack;

import io.tidemark.stack.release.MetastoreRelease;
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

  private final int port = FreePorts.next();
  private final HiveClient client = HiveClient.of(jdbcUrl());
  private final ServerProcess process;

  HiveServer(
      InstalledServers servers,
      StackFiles files,
      Hdfs hdfs,
      HiveMetastore metastore,
      Watchdog watchdog) {
    HiveFiles hive = new HiveFiles(servers, files, hdfs, MetastoreRelease.HIVE_4_0);
    hive.configure(NAME, settings(files.data(NAME), metastore.uris()));
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

  private Map<String, String> settings(Path data, String metastoreUris) {
    Map<String, String> settings = new HashMap<>();
    settings.put("hive.metastore.uris", metastoreUris);
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
    return "jdbc:hive2://localhost:" + port + "/default";
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
