package io.tidemark.stack;

import io.tidemark.stack.security.KdcKind;
import io.tidemark.stack.security.KeytabFile;
import io.tidemark.stack.security.Realm;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import javax.security.auth.login.LoginException;

/**
 * The KDC of a secured stack, with the keytabs of all principals and the certificate of all
 * servers.
 *
 * <p>The operations that change principals or restart the KDC need {@link KdcKind#MIT}.
 */
public final class Kdc extends StackService {

  static final String NAME = "kdc";

  /** The file of both kinds of KDC, for clients. */
  static final String KRB5_CONF_FILE = "krb5.conf";

  private static final String KDC_CONF_FILE = "kdc.conf";
  private static final String SECOND = "kdc-2";

  private static final int HEAP_MEGABYTES = 64;
  private static final Duration KEYTAB_DEADLINE = Duration.ofSeconds(60);
  private static final String LONGEST_LIFE_SECONDS = "36000";

  private static final String KRB5_CONF =
      """
      [libdefaults]
        default_realm = %1$s
        dns_lookup_realm = false
        dns_lookup_kdc = false
        dns_canonicalize_hostname = false
        rdns = false
        udp_preference_limit = 1
        kdc_timeout = 2000
        max_retries = 1
      [realms]
        %1$s = {
          kdc = localhost:%2$d
        }
      [domain_realm]
        localhost = %1$s
      """;

  private static final String KDC_CONF =
      """
      [kdcdefaults]
        kdc_ports = ""
        kdc_listen = ""
        kdc_tcp_listen = 127.0.0.1:%2$d
      [realms]
        %1$s = {
          database_name = %3$s/principal
          key_stash_file = %3$s/stash
          acl_file = %3$s/kadm5.acl
          max_life = %4$ss
          max_renewable_life = 7d
          supported_enctypes = aes256-cts-hmac-sha1-96:normal aes128-cts-hmac-sha1-96:normal
        }
      """;

  private final KdcKind kind;
  private final StackFiles files;
  private final Watchdog watchdog;
  private final Security security;
  private final Realm realm;
  private final int port = FreePorts.next();
  private final ServerProcess process;
  private final List<ServerProcess> second = new CopyOnWriteArrayList<>();

  Kdc(InstalledServers servers, StackFiles files, Watchdog watchdog, Security security) {
    this.kind = security.options().kdc();
    this.files = files;
    this.watchdog = watchdog;
    this.security = security;
    this.realm = security.realm();
    files.write(NAME, KRB5_CONF_FILE, KRB5_CONF.formatted(Realm.NAME, port));
    process =
        new ServerProcess(
            NAME,
            kind == KdcKind.MIT ? program(NAME, "krb5kdc", "-n") : miniKdc(servers),
            files,
            this::problem,
            watchdog);
  }

  private JavaCommand miniKdc(InstalledServers servers) {
    Path settings =
        files.writeProperties(
            NAME,
            "minikdc.properties",
            Map.of(
                "org.name", "TIDEMARK",
                "org.domain", "TEST",
                "kdc.bind.address", "localhost",
                "kdc.port", Integer.toString(port),
                "instance", "DefaultKrbServer",
                "max.ticket.lifetime", LONGEST_LIFE_SECONDS,
                "max.renewable.lifetime", "604800",
                "transport", "TCP",
                "debug", "false"));
    List<String> arguments =
        new ArrayList<>(
            List.of(files.data(NAME).toString(), settings.toString(), keytabOfAll().toString()));
    arguments.addAll(security.principals());
    return new JavaCommand(
        files.conf(NAME) + File.pathSeparator + servers.classPath(NAME),
        "org.apache.hadoop.minikdc.MiniKdc",
        HEAP_MEGABYTES,
        List.of(JavaCommand.FIRST_COMPILER, LoggingConfig.log4j1(files, NAME)),
        arguments);
  }

  private Path keytabOfAll() {
    return files.data(NAME).resolve("all.keytab");
  }

  /** Returns the command of one of MIT's programs, with the configuration of a KDC. */
  private NativeCommand program(String kdc, String name, String... arguments) {
    Path path =
        KdcKind.program(name)
            .orElseThrow(
                () ->
                    new ServerFailedException(
                        name
                            + " is not installed. Install it (Debian: apt-get install krb5-admin-server),"
                            + " or use KdcKind.KERBY."));
    List<String> line = new ArrayList<>(List.of(path.toString(), "-r", Realm.NAME));
    line.addAll(List.of(arguments));
    return new NativeCommand(
        line,
        Map.of(
            "KRB5_CONFIG",
            files.conf(kdc).resolve(KRB5_CONF_FILE).toString(),
            "KRB5_KDC_PROFILE",
            files.conf(kdc).resolve(KDC_CONF_FILE).toString()));
  }

  @Override
  void prepare() {
    realm.use();
    makeCertificate();
    if (kind == KdcKind.MIT) {
      writeKdcConf(NAME, port);
      run(program(NAME, "kdb5_util", "create", "-s", "-P", "master", "-W"));
      security.principals().forEach(this::add);
    }
  }

  private void writeKdcConf(String kdc, int kdcPort) {
    files.write(
        kdc,
        KDC_CONF_FILE,
        KDC_CONF.formatted(Realm.NAME, kdcPort, files.data(NAME), LONGEST_LIFE_SECONDS));
  }

  private void makeCertificate() {
    Path javaHome = JavaInstallation.ofThisJvm().home();
    run(new NativeCommand(security.certificates().creation(javaHome), Map.of()));
    try {
      security.certificates().writeTrustStore();
    } catch (IOException e) {
      throw new UncheckedIOException("the trust store cannot be written", e);
    }
  }

  private void run(Command command) {
    Tool.run(NAME, command, files, watchdog);
  }

  @Override
  void start() {
    if (kind == KdcKind.MIT) {
      process.start();
      return;
    }
    process.launch();
    Polling.until("the KDC writes its keytab", KEYTAB_DEADLINE, this::splitKeytab);
    process.awaitReady();
  }

  /** MiniKdc writes one keytab for all principals, some time after its start. */
  private Optional<String> splitKeytab() {
    if (!process.isAlive()) {
      throw new ServerFailedException("the KDC has ended\n" + process.log().tail());
    }
    try {
      if (!Files.exists(keytabOfAll())) {
        return Optional.of(keytabOfAll() + " is missing");
      }
      KeytabFile.read(keytabOfAll()).splitInto(realm);
      return security.principals().stream()
          .filter(principal -> !Files.exists(realm.keytab(principal)))
          .findFirst()
          .map(principal -> "no key of " + principal);
    } catch (IOException | java.nio.BufferUnderflowException e) {
      return Optional.of("the keytab is not complete: " + e);
    }
  }

  private Optional<String> problem() {
    try {
      realm.login(Security.PROBE);
      return Optional.empty();
    } catch (LoginException e) {
      return Optional.of("the login of %s failed: %s".formatted(Security.PROBE, e.getMessage()));
    }
  }

  /** Returns what clients need: {@code krb5.conf} and the keytabs. */
  public Realm realm() {
    return realm;
  }

  public KdcKind kind() {
    return kind;
  }

  /** Returns the address. Example: {@code localhost:23456}. */
  public String address() {
    return "localhost:" + port;
  }

  public ServerProcess process() {
    return process;
  }

  @Override
  List<ServerProcess> processes() {
    return Stream.concat(Stream.of(process), second.stream()).toList();
  }

  /**
   * Starts a second KDC with the same principals, for clients whose KDC stops while that of all
   * others goes on.
   *
   * <p>A Connect worker uses it with the option {@link Realm#jvmOption()} of the returned realm.
   */
  public SecondKdc startSecond() {
    requireMit("have a second one");
    int secondPort = FreePorts.next();
    Path krb5Conf =
        files.write(SECOND, KRB5_CONF_FILE, KRB5_CONF.formatted(Realm.NAME, secondPort));
    writeKdcConf(SECOND, secondPort);
    ServerProcess started =
        new ServerProcess(
            SECOND,
            program(SECOND, "krb5kdc", "-n"),
            files,
            () ->
                FreePorts.isFree(secondPort)
                    ? Optional.of("nothing listens on port " + secondPort)
                    : Optional.empty(),
            watchdog);
    second.add(started);
    started.start();
    return new SecondKdc(new Realm(krb5Conf, realm.keytabs()), started);
  }

  /**
   * A second KDC.
   *
   * @param realm the same realm, for clients of this KDC
   */
  public record SecondKdc(Realm realm, ServerProcess process) {}

  /** Stops the KDC. Tickets that clients have stay valid. */
  public void stop() {
    requireMit("stop and start again with the same keys");
    process.stop();
  }

  /** Starts the KDC again. Does nothing if it runs. */
  public void ensureStarted() {
    if (!process.isAlive()) {
      process.start();
    }
  }

  /** Creates a principal with a random key, and its keytab. */
  public void add(String principal) {
    admin("addprinc", "-randkey", principal);
    exportKeytab(principal);
  }

  /** Removes a principal. Its keytab stays. */
  public void remove(String principal) {
    admin("delprinc", "-force", principal);
  }

  /**
   * Gives a principal another key. Its keytab is outdated until {@link #exportKeytab}, and tickets
   * of the old key stay valid.
   */
  public void changeKey(String principal) {
    admin("cpw", "-randkey", principal);
  }

  /** Adds the current key to the keytab, which keeps earlier ones. */
  public void exportKeytab(String principal) {
    admin("ktadd", "-q", "-norandkey", "-k", realm.keytab(principal).toString(), principal);
  }

  /** Sets the longest life of the next tickets of a principal, as client or as service. */
  public void limitTicketLife(String principal, Duration longest) {
    admin("modprinc", "-maxlife", longest.toSeconds() + "s", principal);
  }

  /** Gives the next tickets of a principal the usual life of hours. */
  public void unlimitTicketLife(String principal) {
    admin("modprinc", "-maxlife", LONGEST_LIFE_SECONDS + "s", principal);
  }

  /** Makes the next tickets of a principal such that they cannot be renewed. */
  public void forbidRenewal(String principal) {
    admin("modprinc", "-maxrenewlife", "0", principal);
  }

  private void admin(String... command) {
    requireMit("run " + command[0]);
    run(program(NAME, "kadmin.local", command));
  }

  private void requireMit(String operation) {
    if (kind != KdcKind.MIT) {
      throw new IllegalStateException(
          "kdc: %s cannot %s: start the stack with KdcKind.MIT".formatted(kind, operation));
    }
  }
}
