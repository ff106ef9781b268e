package io.tidemark.stack;

import java.io.File;
import java.net.URI;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The key management server (KMS) of a secured stack, which keeps the keys of HDFS's encryption
 * zones. Every principal may create and use keys.
 */
public final class Kms extends StackService {

  private static final String NAME = "kms";
  private static final int HEAP_MEGABYTES = 192;
  private static final String PASSWORD_FILE = "kms.keystore.password";

  private final Security security;
  private final ServerProcess process;

  Kms(InstalledServers servers, StackFiles files, Watchdog watchdog, Security security) {
    this.security = security;
    Map<String, String> core = security.serverSettings();
    core.put("hadoop.tmp.dir", files.data(NAME).resolve("tmp").toString());
    files.writeXml(NAME, "core-site.xml", core);
    files.writeXml(NAME, "kms-site.xml", settings(files.data(NAME)));
    files.writeXml(NAME, "kms-acls.xml", acls());
    files.write(NAME, PASSWORD_FILE, "password-of-keys");
    security.writeTls(files, NAME);
    Path conf = files.conf(NAME);
    process =
        new ServerProcess(
            NAME,
            new JavaCommand(
                conf + File.pathSeparator + servers.classPath(NAME),
                "org.apache.hadoop.crypto.key.kms.server.KMSWebServer",
                HEAP_MEGABYTES,
                security.with(
                    List.of(
                        JavaCommand.FIRST_COMPILER,
                        "--add-opens=java.base/java.lang=ALL-UNNAMED",
                        "-Dkms.config.dir=" + conf,
                        "-Dkms.log.dir=" + files.data(NAME),
                        LoggingConfig.log4j1(files, NAME))),
                List.of()),
            files,
            // The names of all keys, which only a principal gets.
            new HttpCheck(
                security.webClient(Security.PROBE),
                URI.create(address() + "/kms/v1/keys/names"),
                body -> Optional.empty()),
            watchdog);
  }

  private Map<String, String> settings(Path data) {
    Map<String, String> settings = new HashMap<>();
    settings.put("hadoop.kms.http.host", "localhost");
    settings.put("hadoop.kms.http.port", Integer.toString(security.kmsPort()));
    settings.put("hadoop.kms.ssl.enabled", "true");
    settings.put("hadoop.kms.key.provider.uri", "jceks://file@" + data.resolve("keys.jceks"));
    settings.put("hadoop.security.keystore.java-keystore-provider.password-file", PASSWORD_FILE);
    settings.put("hadoop.kms.authentication.type", "kerberos");
    settings.put("hadoop.kms.authentication.kerberos.name.rules", security.authToLocal());
    security.login(
        settings,
        "hadoop.kms.authentication.kerberos.principal",
        "hadoop.kms.authentication.kerberos.keytab",
        Security.WEB);
    return settings;
  }

  private static Map<String, String> acls() {
    Map<String, String> acls = new HashMap<>();
    for (String operation :
        List.of("CREATE", "GET", "GET_METADATA", "GET_KEYS", "GENERATE_EEK", "DECRYPT_EEK")) {
      acls.put("hadoop.kms.acl." + operation, "*");
    }
    for (String operation : List.of("MANAGEMENT", "READ", "GENERATE_EEK", "DECRYPT_EEK")) {
      acls.put("default.key.acl." + operation, "*");
    }
    return acls;
  }

  /** Returns the URI for Hadoop's clients. Example: {@code kms://https@localhost:23456/kms}. */
  public String uri() {
    return security.kmsUri();
  }

  /** Returns the URL of the web server. Example: {@code https://localhost:23456}. */
  public String address() {
    return "https://localhost:" + security.kmsPort();
  }

  public ServerProcess process() {
    return process;
  }

  @Override
  void start() {
    process.start();
  }

  @Override
  List<ServerProcess> processes() {
    return List.of(process);
  }
}
