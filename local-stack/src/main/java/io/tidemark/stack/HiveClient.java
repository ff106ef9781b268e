package io.tidemark.stack;

import io.tidemark.stack.security.KerberosClient;
import java.io.File;
import java.io.IOException;
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
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/** Queries to a HiveServer2 over JDBC. */
public final class HiveClient {

  private final Driver driver;
  private final String url;
  private final Optional<KerberosClient> principal;

  private HiveClient(Driver driver, String url, Optional<KerberosClient> principal) {
    this.driver = driver;
    this.url = url;
    this.principal = principal;
  }

  /**
   * Returns a client of the HiveServer2 at a URL, with the driver of this build.
   *
   * @param url the JDBC URL. Example: {@code jdbc:hive2://localhost:10000/default}
   */
  public static HiveClient of(String url) {
    return new HiveClient(DriverOfThisBuild.DRIVER, url, Optional.empty());
  }

  /** Returns a client that logs in as a principal of Kerberos for each new session. */
  static HiveClient of(String url, KerberosClient principal) {
    return new HiveClient(DriverOfThisBuild.DRIVER, url, Optional.of(principal));
  }

  /** Opens a new session, which the caller must close. */
  public Connection connect() throws SQLException {
    Connection connection;
    try {
      connection = principal.isPresent() ? principal.get().run(this::open) : open();
    } catch (IOException e) {
      throw e.getCause() instanceof SQLException failed
          ? failed
          : new SQLException(url + ": the login failed", e);
    }
    if (connection == null) {
      throw new SQLException(url + " is not a URL of Hive's driver");
    }
    return connection;
  }

  private @Nullable Connection open() throws SQLException {
    Properties properties = new Properties();
    if (principal.isEmpty()) {
      properties.setProperty("user", System.getProperty("user.name"));
    }
    // The Hadoop in the driver loads classes by the loader of the thread, which may have another.
    Thread thread = Thread.currentThread();
    ClassLoader loader = thread.getContextClassLoader();
    thread.setContextClassLoader(driver.getClass().getClassLoader());
    try {
      return driver.connect(url, properties);
    } finally {
      thread.setContextClassLoader(loader);
    }
  }

  /** Returns the rows of a query, each with its columns in order; the cells are JDBC's objects. */
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

  /** Runs statements without results, all in one session. */
  public void execute(String... statements) throws SQLException {
    try (Connection connection = connect();
        Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
  }

  /**
   * The driver, in a separate class loader because its jar contains much of Hadoop. The class
   * loader lives as long as the JVM.
   */
  private static final class DriverOfThisBuild {
    static final Driver DRIVER = load(InstalledServers.ofThisBuild().classPath("hive-jdbc"));

    private static Driver load(String classPath) {
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
        throw new IllegalStateException(classPath + " is not a class path", e);
      } catch (ReflectiveOperationException e) {
        throw new IllegalStateException(classPath + " has no driver of Hive", e);
      }
    }
  }
}
