package io.tidemark.connect.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * Hadoop's settings of the whole process. No KDC is needed: a client logs in with its first call.
 */
@Isolated
final class HdfsIdentityTest {
  private static final String KRB5_CONF = "java.security.krb5.conf";
  private static final String RULES = "hadoop.security.auth_to_local";
  private static final String OF_EXAMPLE = "RULE:[1:$1@$0](.*@EXAMPLE.COM)s/@.*//";
  private static final String FALL_BACK = "ipc.client.fallback-to-simple-auth-allowed";
  private static final String SOCKETS = "hadoop.rpc.socket.factory.class.default";

  private final List<HdfsIdentity> opened = new ArrayList<>();

  private HdfsIdentity open(String principal, Configuration conf) throws IOException {
    Keytab keytab = Keytab.of(principal, "/no/such/keytab", Duration.ofHours(1));
    return open(new HadoopUser(Optional.of(keytab), Optional.empty()), conf);
  }

  private HdfsIdentity open(HadoopUser user, Configuration conf) throws IOException {
    HdfsIdentity identity = HdfsIdentity.of(user, conf);
    opened.add(identity);
    return identity;
  }

  private static Configuration settings(Map<String, String> differing) {
    Configuration conf = new Configuration();
    conf.set(RULES, OF_EXAMPLE);
    differing.forEach(conf::set);
    return conf;
  }

  @AfterEach
  void close() {
    opened.forEach(HdfsIdentity::close);
    UserGroupInformation.reset();
  }

  @Test
  void clientsWithAndWithoutKeytabHaveTheirOwnUsers() throws IOException {
    HdfsIdentity alice = open("alice@EXAMPLE.COM", settings(Map.of()));
    HdfsIdentity process = open(HadoopUser.OF_THE_PROCESS, settings(Map.of()));
    HdfsIdentity bob = open("bob@EXAMPLE.COM", settings(Map.of()));

    assertThat(List.of(user(alice), user(process), user(bob)))
        .containsExactly(
            "alice@EXAMPLE.COM (auth:KERBEROS)",
            System.getProperty("user.name") + " (auth:SIMPLE)",
            "bob@EXAMPLE.COM (auth:KERBEROS)");
  }

  private static String user(HdfsIdentity of) throws IOException {
    return of.open(() -> UserGroupInformation.getCurrentUser().toString());
  }

  @Test
  void methodIsKerberosFromTheFirstKeytabOnAndTheRestDependsOnTheClient() throws IOException {
    Configuration simple = settings(Map.of());
    Configuration secured = settings(Map.of());

    open(HadoopUser.OF_THE_PROCESS, simple);
    assertThat(UserGroupInformation.isSecurityEnabled()).isFalse();
    open("alice@EXAMPLE.COM", secured);
    assertThat(UserGroupInformation.isSecurityEnabled()).isTrue();

    assertThat(simple.getBoolean(FALL_BACK, false)).isTrue();
    assertThat(secured.getBoolean(FALL_BACK, true)).isFalse();
    assertThat(simple.get(SOCKETS)).isNotEqualTo(secured.get(SOCKETS));
  }

  @Test
  void methodThatOtherCodeHasSetIsCorrected() throws IOException {
    open("alice@EXAMPLE.COM", settings(Map.of()));
    UserGroupInformation.setConfiguration(new Configuration());
    assertThat(UserGroupInformation.isSecurityEnabled()).isFalse();

    open("bob@EXAMPLE.COM", settings(Map.of()));

    assertThat(UserGroupInformation.isSecurityEnabled()).isTrue();
  }

  @Test
  void conflictOfSettingsOfTheProcessIsRefusedWithBothSides() throws IOException {
    HdfsIdentity alice = open("alice@EXAMPLE.COM", settings(Map.of()));

    assertThatThrownBy(() -> open("bob@EXAMPLE.COM", settings(Map.of(RULES, "DEFAULT"))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "hadoop.security.auth_to_local is one setting for all connectors of a worker: it is \"RULE:[1:$1@$0](.*@EXAMPLE.COM)s/@.*//\" for the connector of alice@EXAMPLE.COM, and \"DEFAULT\" for that of bob@EXAMPLE.COM. Give both the same core-site.xml, or run them on different workers.");
    assertThatThrownBy(() -> open("bob@EXAMPLE.COM", settings(Map.of(FALL_BACK, "true"))))
        .hasMessageContaining("it is \"false\" for the connector of alice@EXAMPLE.COM");

    alice.close();
    open("bob@EXAMPLE.COM", settings(Map.of(FALL_BACK, "true")));
  }

  @Test
  void principalWithoutAShortNameIsRefusedWithTheCure() {
    assertThatThrownBy(() -> open("alice@OTHER.COM", settings(Map.of())))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("connect.hdfs.principal alice@OTHER.COM has no short name in Hadoop")
        .hasMessageContaining("No rules applied to alice@OTHER.COM")
        .hasMessageEndingWith(
            "or add a rule to hadoop.security.auth_to_local in the core-site.xml of hadoop.conf.dir.");
  }

  @Test
  void configurationWithoutADefaultRealmIsRefusedWithTheCure(@TempDir Path directory)
      throws IOException {
    Path key = KeytabFixture.write(directory.resolve("alice.keytab"), "alice", "EXAMPLE.COM");
    Path without = Files.writeString(directory.resolve("krb5.conf"), "[libdefaults]\n");
    String usual = System.setProperty(KRB5_CONF, without.toString());
    try {
      readConfiguration(key);
      assertThatThrownBy(() -> open("alice@EXAMPLE.COM", settings(Map.of())))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("connect.hdfs.principal alice@EXAMPLE.COM has no short name")
          .hasMessageContaining("Can't get Kerberos realm. Set default_realm in krb5.conf");
    } finally {
      System.setProperty(KRB5_CONF, usual);
      readConfiguration(key);
    }
    assertThat(user(open("alice@EXAMPLE.COM", settings(Map.of())))).startsWith("alice@");
  }

  /** A login lets Java read the configuration of Kerberos anew. */
  private static void readConfiguration(Path keytab) {
    Keytab alice = Keytab.of("alice@EXAMPLE.COM", keytab.toString(), Duration.ofHours(1));
    assertThatThrownBy(alice::login).isInstanceOf(IOException.class);
  }

  @Test
  void callWithoutATicketIsAnErrorThatNamesTheLogin() throws IOException {
    HdfsIdentity alice = open("alice@EXAMPLE.COM", settings(Map.of()));

    assertThatThrownBy(() -> alice.call(() -> "called"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("the login of alice@EXAMPLE.COM failed: /no/such/keytab");
  }
}
