package io.tidemark.stack;

import io.tidemark.stack.security.Certificates;
import io.tidemark.stack.security.KerberosClient;
import io.tidemark.stack.security.Protection;
import io.tidemark.stack.security.Realm;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What the servers and clients of a secured stack have in common.
 *
 * @param kmsPort the port of the KMS
 */
public record Security(
    SecurityOptions options, Realm realm, Certificates certificates, int kmsPort) {

  /** The principal of the name nodes, who is HDFS's superuser {@link #SUPERUSER}. */
  public static final String NAME_NODE = Realm.service("nn");

  static final String DATA_NODE = Realm.service("dn");
  static final String JOURNAL_NODE = Realm.service("jn");
  static final String WEB = Realm.service("HTTP");
  static final String METASTORE = Realm.service("hive");
  static final String HIVE_SERVER = Realm.service("hs2");
  static final String KAFKA = Realm.service("kafka");

  /** With this principal the stack checks whether the KDC answers. */
  static final String PROBE = "probe";

  /** The group of HiveServer2's user, who is its only member. */
  public static final String HIVE_READERS = "hs2";

  /** The user of HDFS's own servers. */
  public static final String SUPERUSER = "hdfs";

  private static final String AUTH_TO_LOCAL =
      Stream.of("nn", "dn", "jn")
          .map(node -> "RULE:[2:$1@$0](%s@%s)s/.*/%s/%n".formatted(node, Realm.NAME, SUPERUSER))
          .collect(Collectors.joining("", "", "DEFAULT"));

  static Security of(SecurityOptions options, StackFiles files) {
    return new Security(
        options,
        new Realm(files.conf(Kdc.NAME).resolve(Kdc.KRB5_CONF_FILE), files.keytabs()),
        new Certificates(files.keytabs()),
        FreePorts.next());
  }

  /** Returns the names of all principals, without the realm. */
  List<String> principals() {
    List<String> all =
        new ArrayList<>(
            List.of(NAME_NODE, DATA_NODE, JOURNAL_NODE, WEB, METASTORE, HIVE_SERVER, KAFKA, PROBE));
    all.addAll(options.users());
    return all;
  }

  /** Returns the URI of the KMS for Hadoop's clients. */
  public String kmsUri() {
    return "kms://https@localhost:%d/kms".formatted(kmsPort);
  }

  /**
   * Returns the file of the policies that deny access in name nodes and Metastore, where
   * authorizers such as Ranger's do. It is missing at first. A line has a user and the beginning of
   * a path, or a kind of {@code PreEventContext}. Examples: {@code alice /topics}, {@code alice
   * CREATE_TABLE}.
   */
  public Path policies() {
    return realm.keytabs().resolve("policies");
  }

  /** Returns the settings with which clients of Hadoop connect, except for addresses. */
  public Map<String, String> clientSettings() {
    Protection protection = options.protection();
    Map<String, String> settings = new HashMap<>(certificates.ofHadoopClient());
    settings.put("hadoop.security.authentication", "kerberos");
    settings.put("hadoop.rpc.protection", protection.ofHadoop());
    settings.put("dfs.data.transfer.protection", protection.ofHadoop());
    settings.put("dfs.http.policy", "HTTPS_ONLY");
    settings.put("dfs.namenode.kerberos.principal", Realm.principal(NAME_NODE));
    settings.put("hadoop.security.key.provider.path", kmsUri());
    return settings;
  }

  /** Returns the settings of {@code core-site.xml} of all of Hadoop's servers. */
  Map<String, String> serverSettings() {
    Map<String, String> settings = new HashMap<>(clientSettings());
    settings.put("hadoop.security.authorization", "true");
    settings.put(CompiledClasses.POLICIES, policies().toString());
    settings.put("hadoop.security.auth_to_local", AUTH_TO_LOCAL);
    settings.put("hadoop.http.authentication.type", "kerberos");
    login(
        settings,
        "hadoop.http.authentication.kerberos.principal",
        "hadoop.http.authentication.kerberos.keytab",
        WEB);
    // This machine does not have the principals as users.
    settings.put(
        "hadoop.user.group.static.mapping.overrides",
        principals().stream()
            .map(principal -> principal.replaceFirst("/.*", ""))
            .map(user -> user + "=" + user)
            .collect(Collectors.joining(";", SUPERUSER + "=" + SUPERUSER + ";dr.who=;", "")));
    for (String proxy : List.of("hive", "hs2", options.users().get(0))) {
      settings.put("hadoop.proxyuser." + proxy + ".hosts", "*");
      settings.put("hadoop.proxyuser." + proxy + ".groups", "*");
    }
    return settings;
  }

  /** Returns the rules that make users of principals. */
  String authToLocal() {
    return AUTH_TO_LOCAL;
  }

  /** Puts the principal and the keytab of a server into its settings. */
  void login(
      Map<String, String> settings, String principalKey, String keytabKey, String principal) {
    settings.put(principalKey, Realm.principal(principal));
    settings.put(keytabKey, realm.keytab(principal).toString());
  }

  /** Writes the files of Hadoop about TLS. */
  void writeTls(StackFiles files, String server) {
    files.writeXml(server, "ssl-server.xml", certificates.ofHadoopServer());
    files.writeXml(server, "ssl-client.xml", certificates.ofHadoopClient());
  }

  /** Returns the settings with which a principal connects to Kafka. */
  public Map<String, String> kafkaClient(String principal) {
    Map<String, String> settings = new LinkedHashMap<>(certificates.ofKafkaClient());
    settings.put("security.protocol", "SASL_SSL");
    settings.put("sasl.mechanism", "GSSAPI");
    settings.put("sasl.kerberos.service.name", "kafka");
    // Otherwise the thread that logs in again ends for ever if a ticket lives for a minute only.
    settings.put("sasl.kerberos.min.time.before.relogin", "5000");
    settings.put("sasl.jaas.config", realm.jaasConfig(principal));
    return settings;
  }

  /** Returns a client that logs in for each request. */
  public KerberosClient client(String principal) {
    return new KerberosClient(realm, principal);
  }

  /** Returns the environment in which a command of Hadoop logs in as a principal. */
  Map<String, String> environment(String principal) {
    return Map.of(
        "KRB5PRINCIPAL",
        Realm.principal(principal),
        "KRB5KEYTAB",
        realm.keytab(principal).toString());
  }

  /** Returns a client of the servers' web pages that logs in as a principal. */
  WebClient webClient(String principal) {
    return new WebClient(
        () -> HttpClient.newBuilder().sslContext(certificates.context()),
        Optional.of(client(principal)));
  }

  /** Returns options of a JVM and that with which it finds the KDC. */
  List<String> with(List<String> jvmOptions) {
    return Stream.concat(jvmOptions.stream(), Stream.of(realm.jvmOption())).toList();
  }
}
