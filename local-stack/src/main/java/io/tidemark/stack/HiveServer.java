package io.tidemark.stack;

import java.io.File;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/** HiveServer2, queried over JDBC. */
public final class HiveServer extends StackService {

  private static final String NAME = "hive-server";
  private static final int HEAP_MEGABYTES = 1_024;

  private final int port = FreePorts.next();
  private final Driver driver;
  private final ServerProcess process;

  HiveServer(
      InstalledServers servers,
      StackFiles files,
      Hdfs hdfs,
      HiveMetastore metastore,
      Watchdog watchdog) {
    driver = loadDriver(servers.classPath("hive-jdbc"));
    HiveFiles hive = new HiveFiles(servers, files, hdfs);
    hive.configure(NAME, settings(files.data(NAME), metastore.uris()));
    process =
        new ServerProcess(
            NAME,
            hive.command(
                NAME, "org.apache.hive.service.server.HiveServer2", HEAP_MEGABYTES, List.of()),
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
    // A count reads the records, and is not answered from what somebody wrote into the Metastore.
    settings.put("hive.compute.query.using.stats", "false");
    settings.put("hive.execution.engine", "mr");
    settings.put("mapreduce.framework.name", "local");
    // Hive's mapper keeps its state in static fields: two at a time in one JVM lose records.
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

  /** The URL for any JDBC client. Example: {@code jdbc:hive2://localhost:23456/default}. */
  public String jdbcUrl() {
    return "jdbc:hive2://localhost:" + port + "/default";
  }

  /** A session of its own, to be closed by the caller. */
  public Connection connect() throws SQLException {
    Properties properties = new Properties();
    properties.setProperty("user", System.getProperty("user.name"));
    Connection connection = driver.connect(jdbcUrl(), properties);
    if (connection == null) {
      throw new SQLException(jdbcUrl() + " is not a URL of Hive's driver");
    }
    return connection;
  }

  /** The rows of a query, each with its columns in order; the cells are as JDBC gives them. */
  public List<List<@Nullable Object>> query(String sql) throws SQLException {
    try (Connection connection = connect();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      ResultSetMetaData columns = rows.getMetaData();
      List<List<@Nullable Object>> result = new ArrayList<>();
      while (rows.next()) {
        List<@Nullable Object> row = new ArrayList<>();
        for (int column = 1; column <= columns.getColumnCount(); column++) {
          row.add(rows.getObject(column));
        }
        result.add(Collections.unmodifiableList(row));
      }
      return Collections.unmodifiableList(result);
    }
  }

  /** Runs statements that give no rows, all in one session. */
  public void execute(String... statements) throws SQLException {
    try (Connection connection = connect();
        Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
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

  /**
   * The driver's jar holds a great part of Hadoop: it gets a class loader of its own, which lives
   * as long as the JVM.
   */
  private static Driver loadDriver(String classPath) {
    try {
      List<URL> jars = new ArrayList<>();
      for (String jar : classPath.split(File.pathSeparator, -1)) {
        jars.add(Path.of(jar).toUri().toURL());
      }
      URLClassLoader loader =
          new URLClassLoader(
              "hive-jdbc", jars.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
      return (Driver)
          loader
              .loadClass("org.apache.hive.jdbc.HiveDriver")
              .getDeclaredConstructor()
              .newInstance();
    } catch (MalformedURLException e) {
      throw new IllegalStateException(classPath + " is no class path", e);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(classPath + " holds no driver of Hive", e);
    }
  }
}
