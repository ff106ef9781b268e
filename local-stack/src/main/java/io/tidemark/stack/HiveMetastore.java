package io.tidemark.stack;

import io.tidemark.stack.release.MetastoreRelease;
import io.tidemark.stack.security.Certificates;
import io.tidemark.stack.security.Realm;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.stream.Stream;
import javax.net.ssl.SSLSocketFactory;

/**
 * The Hive Metastore, on a Derby database or on PostgreSQL. Its schema is created by Hive's own
 * scripts, if the release has them.
 */
public final class HiveMetastore extends StackService {

  private static final String NAME = "metastore";
  private static final int HEAP_MEGABYTES = 512;
  private static final int ANSWER_MS = 5_000;
  private static final String DATABASE_CLOSED = "08006";
  private static final int VERSION = 0x80010000;
  private static final int CALL = 1;
  private static final int REPLY = 2;

  private final InstalledServers servers;
  private final HiveFiles hive;
  private final Watchdog watchdog;
  private final MetastoreRelease release;
  private final int port = FreePorts.next();
  private final Path database;
  private final Optional<Postgres> postgres;
  private final boolean overHttp;
  private final ServerProcess process;

  HiveMetastore(
      InstalledServers servers,
      StackFiles files,
      Hdfs hdfs,
      Watchdog watchdog,
      MetastoreRelease release,
      boolean onPostgres,
      Map<String, String> properties) {
    this.servers = servers;
    this.hive = new HiveFiles(servers, files, hdfs, release);
    this.watchdog = watchdog;
    this.release = release;
    database = files.data(NAME).resolve("derby");
    postgres = onPostgres ? Optional.of(new Postgres(files, watchdog)) : Optional.empty();
    Map<String, String> settings = settings();
    settings.putAll(properties);
    overHttp = "http".equals(settings.get("metastore.server.thrift.transport.mode"));
    hive.configure(NAME, settings);
    process =
        new ServerProcess(
            NAME,
            hive.command(
                NAME,
                "org.apache.hadoop.hive.metastore.HiveMetaStore",
                HEAP_MEGABYTES,
                List.of(JavaCommand.FIRST_COMPILER),
                "-p",
                Integer.toString(port)),
            files,
            this::problem,
            watchdog);
  }

  private Map<String, String> settings() {
    Map<String, String> settings = new HashMap<>();
    settings.put(
        "javax.jdo.option.ConnectionURL",
        postgres
            .map(Postgres::jdbcUrl)
            .orElse("jdbc:derby:;databaseName=" + database + ";create=true"));
    settings.put(
        "javax.jdo.option.ConnectionDriverName",
        postgres.isPresent() ? "org.postgresql.Driver" : "org.apache.derby.jdbc.EmbeddedDriver");
    if (postgres.isPresent()) {
      settings.put("javax.jdo.option.ConnectionUserName", Postgres.USER);
    }
    settings.put("metastore.thrift.bind.host", "localhost");
    settings.put("metastore.housekeeping.threads.on", "false");
    settings.put("hive.metastore.event.db.notification.api.auth", "false");
    settings.put("hive.txn.manager", "org.apache.hadoop.hive.ql.lockmgr.DummyTxnManager");
    settings.put("hive.support.concurrency", "false");
    if (release.schemaTool().isEmpty()) {
      settings.put("datanucleus.schema.autoCreateAll", "true");
      settings.put("hive.metastore.schema.verification", "false");
    }
    hive.security().ifPresent(security -> secure(security, settings));
    return settings;
  }

  private static void secure(Security security, Map<String, String> settings) {
    settings.put("hive.metastore.sasl.enabled", "true");
    settings.put("hive.metastore.pre.event.listeners", "io.tidemark.stack.PolicyListener");
    security.login(
        settings,
        "hive.metastore.kerberos.principal",
        "hive.metastore.kerberos.keytab.file",
        Security.METASTORE);
    settings.put("metastore.use.SSL", "true");
    settings.put("metastore.keystore.type", Certificates.TYPE);
    settings.put("metastore.keystore.path", security.certificates().keyStore().toString());
    settings.put("metastore.keystore.password", Certificates.PASSWORD);
  }

  /**
   * Returns the settings with which HiveServer2 connects: address, and in a secured stack login and
   * trust store.
   */
  Map<String, String> clientSettings() {
    Map<String, String> settings = new HashMap<>();
    settings.put("hive.metastore.uris", uris());
    hive.security()
        .ifPresent(
            security -> {
              settings.put("hive.metastore.sasl.enabled", "true");
              settings.put(
                  "hive.metastore.kerberos.principal", Realm.principal(Security.METASTORE));
              settings.put("metastore.use.SSL", "true");
              settings.put("metastore.truststore.type", Certificates.TYPE);
              settings.put(
                  "metastore.truststore.path", security.certificates().trustStore().toString());
              settings.put("metastore.truststore.password", Certificates.PASSWORD);
            });
    return settings;
  }

  /** Creates the schema in the database. */
  @Override
  void prepare() {
    postgres.ifPresent(Postgres::begin);
    hive.compile(NAME, CompiledClasses.FIXED_PROTECTION, CompiledClasses.POLICY_LISTENER);
    release.schemaTool().ifPresent(this::prepareSchema);
  }

  private void prepareSchema(String schemaTool) {
    if (postgres.isPresent()) {
      makeSchema(schemaTool);
      return;
    }
    Path kept = servers.target(release.folder()).resolve("derby-" + servers.version(release));
    new PreparedData(kept).make(database, () -> makeSchema(schemaTool));
  }

  private void makeSchema(String schemaTool) {
    Tool.run(
        NAME,
        hive.command(
                NAME,
                schemaTool,
                HEAP_MEGABYTES,
                List.of(JavaCommand.FIRST_COMPILER),
                "-dbType",
                postgres.isPresent() ? "postgres" : "derby",
                "-initSchema")
            .with(
                Map.of(
                    "METASTORE_HOME",
                    home(servers.built(release.folder(), "metastore")).toString())),
        hive.files(),
        watchdog);
  }

  private static Path home(Path folder) {
    try (DirectoryStream<Path> homes =
        Files.newDirectoryStream(folder, "apache-hive-metastore-*")) {
      return homes.iterator().next();
    } catch (IOException e) {
      throw new UncheckedIOException(folder + " cannot be read", e);
    }
  }

  @Override
  void start() {
    process.start();
  }

  /**
   * Returns the URI for clients. Examples: {@code thrift://localhost:23456}, {@code
   * http://localhost:23456/metastore}.
   */
  public String uris() {
    return overHttp
        ? "http://localhost:%d/metastore".formatted(port)
        : "thrift://localhost:" + port;
  }

  public ServerProcess process() {
    return process;
  }

  /**
   * Changes the Metastore's Derby database. The Metastore must be stopped, because only one process
   * can open a Derby database.
   *
   * @param statement SQL. Example: {@code ALTER TABLE APP.PARTITIONS …}
   */
  public void changeDatabase(String statement) throws SQLException, IOException {
    if (process.isAlive()) {
      throw new IllegalStateException("stop " + NAME + " first: it has its database open");
    }
    String url = "jdbc:derby:" + database;
    // Otherwise Derby writes derby.log to this process's working directory.
    System.setProperty("derby.stream.error.file", database.resolveSibling("derby.log").toString());
    try (URLClassLoader derby = new URLClassLoader(jars("derby"), getClass().getClassLoader())) {
      Driver driver =
          (Driver)
              derby
                  .loadClass("org.apache.derby.jdbc.EmbeddedDriver")
                  .getDeclaredConstructor()
                  .newInstance();
      try (Connection connection = driver.connect(url, new Properties());
          Statement change = connection.createStatement()) {
        change.execute(statement);
      } finally {
        letGo(driver, url);
      }
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("Derby cannot be loaded from " + release.folder(), e);
    }
  }

  /** Closes a database, which Derby reports by an exception. */
  private static void letGo(Driver driver, String url) throws SQLException {
    try {
      driver.connect(url + ";shutdown=true", new Properties()).close();
    } catch (SQLException e) {
      if (!DATABASE_CLOSED.equals(e.getSQLState())) {
        throw e;
      }
    }
  }

  private URL[] jars(String name) throws IOException {
    List<URL> jars = new ArrayList<>();
    for (String entry : servers.classPath(release.folder()).split(File.pathSeparator, -1)) {
      Path jar = Path.of(entry);
      if (String.valueOf(jar.getFileName()).startsWith(name)) {
        jars.add(jar.toUri().toURL());
      }
    }
    return jars.toArray(new URL[0]);
  }

  @Override
  List<ServerProcess> processes() {
    return Stream.concat(postgres.map(Postgres::process).stream(), Stream.of(process)).toList();
  }

  /**
   * Requests the list of databases, which the Metastore reads from its own database.
   *
   * <p>The call and its answer are in Thrift's binary protocol: a word with version and message
   * type, the method's name, a sequence number, and in the call an empty structure of arguments.
   */
  private Optional<String> problem() {
    if (overHttp) {
      return problemOverHttp();
    }
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress("localhost", port), ANSWER_MS);
      socket.setSoTimeout(ANSWER_MS);
      int answer =
          hive.security().isPresent() ? answerTo(socket, hive.security().get()) : answerTo(socket);
      return problemOf(answer);
    } catch (IOException e) {
      return failed(e);
    }
  }

  private Optional<String> problemOverHttp() {
    try {
      HttpURLConnection call = (HttpURLConnection) URI.create(uris()).toURL().openConnection();
      call.setConnectTimeout(ANSWER_MS);
      call.setReadTimeout(ANSWER_MS);
      call.setDoOutput(true);
      call.setRequestProperty("Content-Type", "application/x-thrift");
      call.setRequestProperty("x-actor-username", System.getProperty("user.name"));
      call.getOutputStream().write(request());
      try (DataInputStream answer = new DataInputStream(call.getInputStream())) {
        return problemOf(answer.readInt());
      }
    } catch (IOException e) {
      return failed(e);
    }
  }

  private static Optional<String> problemOf(int answer) {
    return answer == (VERSION | REPLY)
        ? Optional.empty()
        : Optional.of("the response to get_all_databases is an exception");
  }

  private Optional<String> failed(IOException e) {
    return Optional.of("get_all_databases at " + uris() + " failed: " + e.getMessage());
  }

  private static int answerTo(Socket socket) throws IOException {
    socket.getOutputStream().write(request());
    return new DataInputStream(socket.getInputStream()).readInt();
  }

  private int answerTo(Socket socket, Security security) throws IOException {
    SSLSocketFactory tls = security.certificates().context().getSocketFactory();
    try (Socket secured = tls.createSocket(socket, "localhost", port, true)) {
      byte[] answer = security.client(Security.PROBE).thriftRequest(secured, "hive", request());
      return ByteBuffer.wrap(answer).getInt();
    }
  }

  private static byte[] request() throws IOException {
    byte[] method = "get_all_databases".getBytes(StandardCharsets.US_ASCII);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    out.writeInt(VERSION | CALL);
    out.writeInt(method.length);
    out.write(method);
    out.writeInt(0);
    out.writeByte(0);
    return bytes.toByteArray();
  }
}
