package io.tidemark.connect.it.hadoop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.stack.Kdc;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.SocketException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import javax.security.auth.kerberos.KerberosTicket;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.thrift.TException;
import org.apache.thrift.transport.TSocket;
import org.apache.thrift.transport.TTransport;
import org.junit.jupiter.api.Test;

/** Shows that the secured stack admits a login and nothing else, with the services' own clients. */
@OnSecuredStack
final class SecuredStackIT {

  private static final Duration LIFE = Duration.ofSeconds(60);

  @Test
  void keytabLoginWritesAndNoLoginDoesNot(SecuredStack stack) throws Exception {
    Configuration conf = stack.configuration();
    Path file = new Path("/tmp/of-alice");
    try (FileSystem files = stack.fileSystemOf(stack.login("alice"), conf)) {
      write(files, file);
      assertThat(files.getFileStatus(file).getOwner()).isEqualTo("alice");
      assertThat(read(files, file)).isEqualTo(file.toString());
    }
    try (FileSystem files =
        stack.fileSystemOf(UserGroupInformation.createRemoteUser("alice"), conf)) {
      assertThatThrownBy(() -> write(files, new Path("/tmp/of-nobody")))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("Client cannot authenticate via:[TOKEN, KERBEROS]");
    }
  }

  @Test
  void principalHasOnlyItsOwnRights(SecuredStack stack) throws Exception {
    try (FileSystem files = stack.fileSystemOf(stack.login("bob"), stack.configuration())) {
      assertThatThrownBy(() -> write(files, new Path("/user/hive/of-bob")))
          .hasMessageContaining("Permission denied: user=bob");
    }
  }

  @Test
  void connectionsWithoutEncryptionAreRefused(SecuredStack stack) throws Exception {
    UserGroupInformation alice = stack.login("alice");
    try (FileSystem files =
        stack.fileSystemOf(
            alice, stack.configuration(Map.of("hadoop.rpc.protection", "authentication")))) {
      assertThatThrownBy(() -> write(files, new Path("/tmp/in-clear-text")))
          .hasMessageContaining("No common protection layer between client and server");
    }
    try (FileSystem files =
        stack.fileSystemOf(
            alice, stack.configuration(Map.of("dfs.data.transfer.protection", "integrity")))) {
      assertThatThrownBy(() -> write(files, new Path("/tmp/in-clear-text")))
          .hasMessageContaining("could only be written to 0 of the 1 minReplication nodes");
    }
  }

  @Test
  void webPagesNeedTlsAndALogin(SecuredStack stack) throws Exception {
    URI https = stack.services().hdfs().webUrl().resolve("/webhdfs/v1/?op=LISTSTATUS");
    HttpURLConnection http =
        (HttpURLConnection)
            URI.create(https.toString().replace("https:", "http:")).toURL().openConnection();
    assertThatThrownBy(http::getResponseCode).isInstanceOf(SocketException.class);

    HttpClient client =
        HttpClient.newBuilder()
            .sslContext(stack.services().security().certificates().context())
            .build();
    assertThat(
            client
                .send(HttpRequest.newBuilder(https).build(), HttpResponse.BodyHandlers.discarding())
                .statusCode())
        .isEqualTo(401);
    assertThat(stack.services().hdfs().filesAs("alice").list("/"))
        .extracting("path")
        .contains("/tmp", "/warehouse");
  }

  @Test
  void encryptionZoneHasItsKeyInTheKms(SecuredStack stack) throws Exception {
    Configuration conf = stack.configuration();
    Path zone = new Path("/tmp/zone");
    stack.makeEncryptionZone(zone, "alice");
    UserGroupInformation alice = stack.login("alice");
    try (FileSystem files = stack.fileSystemOf(alice, conf)) {
      Path inside = new Path(zone, "inside");
      // The client gets the key as the current user, not as the user of the file system.
      SecuredStack.as(
          alice,
          () -> {
            write(files, inside);
            assertThat(read(files, inside)).isEqualTo(inside.toString());
            return null;
          });
      assertThat(files.rename(inside, new Path(zone, "renamed"))).isTrue();
      Path outside = new Path("/tmp/outside");
      write(files, outside);
      assertThatThrownBy(() -> files.rename(outside, new Path(zone, "moved")))
          .hasMessageContaining("can't be moved into an encryption zone");
    }
  }

  @Test
  void metastoreAnswersWithSaslInTls(SecuredStack stack) throws Exception {
    try (TTransport transport = stack.metastoreTransport(stack.login("alice"))) {
      assertThat(SecuredStack.metastore(transport).get_all_databases()).contains("default");
    }
    URI metastore = URI.create(stack.services().metastore().uris());
    try (TTransport plain = new TSocket(metastore.getHost(), metastore.getPort())) {
      plain.open();
      assertThatThrownBy(() -> SecuredStack.metastore(plain).get_all_databases())
          .isInstanceOf(TException.class);
    }
    assertThatThrownBy(
            () -> stack.metastoreTransport(UserGroupInformation.createRemoteUser("alice")))
        .hasStackTraceContaining("GSS initiate failed");
  }

  @Test
  void hiveCountsForAPrincipal(SecuredStack stack) throws Exception {
    stack
        .services()
        .hive()
        .clientAs("alice")
        .execute("CREATE TABLE secured (n int) STORED AS AVRO", "INSERT INTO secured VALUES (1)");
    assertThat(
            stack.services().hive().clientAs("bob").query("SELECT count(*), sum(n) FROM secured"))
        .containsExactly(List.of(1L, 1L));
    assertThat(stack.services().hive().clientAs("bob").query("SELECT logged_in_user()"))
        .containsExactly(List.of("bob"));
    assertThatThrownBy(
            () -> stack.services().hive().clientAs("nobody").query("SELECT logged_in_user()"))
        .hasStackTraceContaining("LoginException");
  }

  @Test
  void kafkaAdmitsPrincipalsOnly(SecuredStack stack) throws Exception {
    Map<String, Object> alice = new HashMap<>(stack.services().kafka().clientSettings("alice"));
    try (Admin admin = Admin.create(alice);
        KafkaProducer<String, String> producer =
            new KafkaProducer<>(alice, new StringSerializer(), new StringSerializer())) {
      admin.createTopics(Set.of(new NewTopic("secured", 1, (short) 1))).all().get();
      assertThat(producer.send(new ProducerRecord<>("secured", "hello")).get().offset()).isZero();
    }
    Map<String, Object> plain =
        Map.of(
            "bootstrap.servers",
            stack.services().kafka().bootstrapServers(),
            "default.api.timeout.ms",
            5_000,
            "request.timeout.ms",
            2_000);
    try (Admin admin = Admin.create(plain)) {
      assertThatThrownBy(() -> admin.describeCluster().nodes().get(20, TimeUnit.SECONDS))
          .isInstanceOf(ExecutionException.class);
    }
  }

  @Test
  void openConnectionOutlivesTheKdcAndANewLoginWaitsForIt(SecuredStack stack) throws Exception {
    Kdc kdc = stack.kdcWithOutages();
    try (FileSystem files = stack.fileSystemOf(stack.login("alice"), stack.configuration())) {
      write(files, new Path("/tmp/with-kdc"));
      kdc.stop();
      write(files, new Path("/tmp/without-kdc"));
      assertThatThrownBy(() -> stack.login("bob")).hasStackTraceContaining("Connection refused");
      kdc.ensureStarted();
      stack.login("bob");
    }
  }

  @Test
  void secondKdcStopsForItsOwnClientsOnly(SecuredStack stack) throws Exception {
    Kdc.SecondKdc second = stack.kdcWithOutages().startSecond();
    try {
      second.realm().use();
      stack.login("alice");
      second.process().stop();
      assertThatThrownBy(() -> stack.login("alice")).hasStackTraceContaining("Connection refused");
      stack.kdc().realm().use();
      stack.login("alice");
    } finally {
      stack.kdc().realm().use();
      second.process().stop();
    }
  }

  @Test
  void oldKeytabFailsAfterAChangeOfTheKey(SecuredStack stack) throws Exception {
    Kdc kdc = stack.kdcWithOutages();
    kdc.add("changed");
    stack.login("changed");
    kdc.changeKey("changed");
    assertThatThrownBy(() -> stack.login("changed")).hasStackTraceContaining("Checksum failed");
    kdc.exportKeytab("changed");
    stack.login("changed");
  }

  @Test
  void removedPrincipalCannotLogIn(SecuredStack stack) throws Exception {
    Kdc kdc = stack.kdcWithOutages();
    kdc.add("removed");
    stack.login("removed");
    kdc.remove("removed");
    assertThatThrownBy(() -> stack.login("removed"))
        .hasStackTraceContaining("Client not found in Kerberos database");
  }

  @Test
  void ticketsOfOnePrincipalAreShort(SecuredStack stack) throws Exception {
    Kdc kdc = stack.kdcWithOutages();
    kdc.add("short");
    kdc.limitTicketLife("short", LIFE);
    assertThat(lifeOfTicket(stack, "short")).isLessThanOrEqualTo(LIFE);
    assertThat(lifeOfTicket(stack, "alice")).isGreaterThan(Duration.ofHours(9));
    kdc.unlimitTicketLife("short");
    assertThat(lifeOfTicket(stack, "short")).isGreaterThan(Duration.ofHours(9));
  }

  private static Duration lifeOfTicket(SecuredStack stack, String principal) throws Exception {
    return Duration.between(
        Instant.now(),
        stack
            .kdc()
            .realm()
            .login(principal)
            .getPrivateCredentials(KerberosTicket.class)
            .iterator()
            .next()
            .getEndTime()
            .toInstant());
  }

  private static void write(FileSystem files, Path path) throws IOException {
    try (FSDataOutputStream out = files.create(path, true)) {
      out.writeUTF(path.toString());
    }
  }

  private static String read(FileSystem files, Path path) throws IOException {
    try (FSDataInputStream in = files.open(path)) {
      return in.readUTF();
    }
  }
}
