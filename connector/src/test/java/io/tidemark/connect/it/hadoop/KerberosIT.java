package io.tidemark.connect.it.hadoop;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.connect.TidemarkSinkConnector;
import io.tidemark.connect.config.ConnectorConfig;
import io.tidemark.connect.hdfs.HadoopUser;
import io.tidemark.connect.hdfs.HdfsConnection;
import io.tidemark.connect.hdfs.Keytab;
import io.tidemark.connect.hive.HiveCatalog;
import io.tidemark.connect.hive.MetastoreAccess;
import io.tidemark.connect.hive.MetastoreSettings;
import io.tidemark.connect.kafka.KafkaTopicMetadata;
import io.tidemark.registry.security.Secret;
import io.tidemark.registry.security.TlsSettings;
import io.tidemark.registry.security.TlsStore;
import io.tidemark.stack.Kdc;
import io.tidemark.stack.security.Certificates;
import io.tidemark.stack.security.Realm;
import io.tidemark.store.Storage;
import io.tidemark.store.StoragePath;
import io.tidemark.store.StoreRefusedException;
import io.tidemark.store.commit.TopicMetadata;
import io.tidemark.store.table.TableName;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import javax.security.auth.kerberos.KerberosTicket;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.junit.jupiter.api.Test;

/** The connector's stores in an HDFS with Kerberos. */
@OnSecuredStack
final class KerberosIT {
  private static final Duration HOUR = Duration.ofHours(1);

  private static Storage open(SecuredStack stack, HadoopUser user) throws IOException {
    Map<String, String> settings = new HashMap<>(stack.services().hdfs().clientSettings());
    return new HdfsConnection(stack.uri(), Optional.empty(), settings, user).open();
  }

  private static HadoopUser keytab(SecuredStack stack, String principal) {
    Path file = stack.kdc().realm().keytab(principal);
    return new HadoopUser(
        Optional.of(Keytab.of(Realm.principal(principal), file.toString(), HOUR)),
        Optional.empty());
  }

  private static void write(Storage storage, StoragePath file) throws IOException {
    try (OutputStream out = storage.create(file)) {
      out.write(file.value().getBytes(UTF_8));
    }
  }

  private static String read(Storage storage, StoragePath file) throws IOException {
    try (InputStream in = storage.open(file)) {
      return new String(in.readAllBytes(), UTF_8);
    }
  }

  @Test
  void twoPrincipalsOfOneProcessWriteAsThemselvesAtTheSameTime(SecuredStack stack)
      throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try (Storage alice = open(stack, keytab(stack, "alice"));
        Storage bob = open(stack, keytab(stack, "bob"))) {
      List<Callable<String>> work = new ArrayList<>();
      for (int each = 0; each < 20; each++) {
        for (Map.Entry<String, Storage> user : Map.of("alice", alice, "bob", bob).entrySet()) {
          StoragePath file = new StoragePath("/tmp/two/" + user.getKey() + "-" + each);
          work.add(
              () -> {
                write(user.getValue(), file);
                assertThat(read(user.getValue(), file)).isEqualTo(file.value());
                return file.value();
              });
        }
      }
      alice.makeDirectories(new StoragePath("/tmp/two"));
      stack.services().hdfs().filesAs("alice").setPermission("/tmp/two", "777");
      for (Future<String> done : threads.invokeAll(work)) {
        assertThat(done.get()).isNotNull();
      }
    } finally {
      threads.shutdownNow();
    }
    try (FileSystem files = stack.fileSystemOf(stack.login("carol"), stack.configuration())) {
      assertThat(files.listStatus(new org.apache.hadoop.fs.Path("/tmp/two")))
          .hasSize(40)
          .allSatisfy(
              file -> assertThat(file.getPath().getName()).startsWith(file.getOwner() + "-"));
    }
  }

  /** As a neighbour in this class loader can do. */
  @Test
  void openStoreWritesAfterOtherCodeHasSwitchedKerberosOff(SecuredStack stack) throws Exception {
    try (Storage alice = open(stack, keytab(stack, "alice"))) {
      write(alice, new StoragePath("/tmp/before-the-neighbour"));
      Configuration simple = new Configuration(false);
      simple.set("hadoop.security.authentication", "simple");
      UserGroupInformation.setConfiguration(simple);
      assertThat(UserGroupInformation.isSecurityEnabled()).isFalse();
      StoragePath file = new StoragePath("/tmp/after-the-neighbour");
      write(alice, file);
      assertThat(read(alice, file)).isEqualTo(file.value());
      assertThat(UserGroupInformation.isSecurityEnabled()).isTrue();
    } finally {
      UserGroupInformation.setConfiguration(stack.configuration());
    }
  }

  @Test
  void withoutALoginTheErrorNamesTheSetting(SecuredStack stack) throws Exception {
    Map<String, String> settings = new HashMap<>(stack.services().hdfs().clientSettings());
    settings.put("hadoop.security.authentication", "simple");
    try (Storage storage =
        new HdfsConnection(stack.uri(), Optional.empty(), settings, HadoopUser.OF_THE_PROCESS)
            .open()) {
      assertThatThrownBy(() -> write(storage, new StoragePath("/tmp/simple")))
          // The second is the client's own, if another client of this process had a keytab before.
          .hasMessageMatching(
              "(?s).*(SIMPLE authentication is not enabled|Client cannot authenticate via).*")
          .hasMessageContaining("hdfs.authentication.kerberos=true");
    }
  }

  @Test
  void catalogLogsInToAMetastoreWithTls(SecuredStack stack) throws Exception {
    for (Optional<String> proxy : List.of(Optional.<String>empty(), Optional.of("carol"))) {
      HadoopUser user = new HadoopUser(keytab(stack, "connect").keytab(), proxy);
      TlsStore trust =
          new TlsStore.OfFile(
              stack.services().security().certificates().trustStore(),
              TlsStore.Type.PKCS12,
              new Secret(Certificates.PASSWORD),
              Secret.NONE);
      TlsSettings tls = new TlsSettings(Optional.empty(), Optional.of(trust), true, List.of());
      try (HiveCatalog catalog =
          new HiveCatalog(
              MetastoreSettings.of(
                  stack.services().metastore().uris(),
                  new MetastoreAccess(
                      user, Optional.of("hive/_HOST@" + Realm.NAME), Optional.of(tls))),
              Set.of())) {
        assertThat(catalog.exists(new TableName("default", "none"))).isFalse();
      }
    }
  }

  @Test
  void proxyUserOwnsTheFiles(SecuredStack stack) throws Exception {
    StoragePath file = new StoragePath("/tmp/of-carol");
    HadoopUser user = new HadoopUser(keytab(stack, "connect").keytab(), Optional.of("carol"));
    try (Storage storage = open(stack, user)) {
      write(storage, file);
    }
    try (FileSystem files = stack.fileSystemOf(stack.login("carol"), stack.configuration())) {
      assertThat(files.getFileStatus(new org.apache.hadoop.fs.Path(file.value())).getOwner())
          .isEqualTo("carol");
    }
  }

  @Test
  void storeThatIsOpenedWhileTheKdcIsAwayWritesOnceItIsBack(SecuredStack stack) throws Exception {
    Kdc kdc = stack.kdcWithOutages();
    kdc.stop();
    try (Storage storage = open(stack, keytab(stack, "carol"))) {
      StoragePath file = new StoragePath("/tmp/after-the-outage");
      assertThatThrownBy(() -> write(storage, file))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("the login of carol@")
          .hasMessageContaining("Check the KDC");
      kdc.ensureStarted();
      Thread.sleep(1_100); // The login is not tried more often.
      write(storage, file);
      assertThat(read(storage, file)).isEqualTo(file.value());
    }
  }

  @Test
  void filesOfAnEncryptionZoneAreReadAndWrittenAsTheUserOfTheStore(SecuredStack stack)
      throws Exception {
    StoragePath zone = new StoragePath("/tmp/zone-of-bob");
    stack.makeEncryptionZone(new org.apache.hadoop.fs.Path(zone.value()), "bob");
    try (Storage bob = open(stack, keytab(stack, "bob"))) {
      write(bob, zone.child("staged"));
      bob.requireRenames(zone, zone);
      bob.rename(zone.child("staged"), zone.child("published"));
      assertThat(read(bob, zone.child("published"))).isEqualTo(zone.child("staged").value());
      assertThatThrownBy(() -> bob.requireRenames(new StoragePath("/tmp"), zone))
          .isInstanceOf(StoreRefusedException.class)
          .hasMessageContaining("in the encryption zone /tmp/zone-of-bob");
    }
  }

  @Test
  void principalWithoutRightsIsRefusedWithItsName(SecuredStack stack) throws Exception {
    try (Storage bob = open(stack, keytab(stack, "bob"))) {
      assertThatThrownBy(() -> write(bob, new StoragePath("/user/hive/of-bob")))
          .isInstanceOf(StoreRefusedException.class)
          .hasMessageContaining("Permission denied: user=bob")
          .hasMessageContaining("Grant that user access");
    }
  }

  @Test
  void validationReportsAKdcThatIsAwayAtTheStore(SecuredStack stack) {
    Kdc kdc = stack.kdcWithOutages();
    Map<String, String> settings = settings(stack);
    assertThat(errorsOfTheStore(settings)).isEmpty();
    kdc.stop();
    assertThat(errorsOfTheStore(settings).toString())
        .contains("the login of alice@TIDEMARK.TEST with ", "Connection refused")
        .contains("Check the KDC of this realm in krb5.conf");
  }

  private static Map<String, String> settings(SecuredStack stack) {
    Map<String, String> settings = new HashMap<>();
    settings.put("name", "validated");
    settings.put("topics", "quotes");
    settings.put("value.converter", ConnectorConfig.BYTE_ARRAY_CONVERTER);
    settings.put("consumer.override.isolation.level", "read_committed");
    settings.put("kafka.bootstrap.servers", "localhost:1");
    settings.put("schema.registry.url", "http://localhost:1");
    settings.put("store.url", stack.uri().toString());
    settings.put("hadoop.conf.dir", stack.services().hdfs().clientConfiguration().toString());
    settings.put("hdfs.authentication.kerberos", "true");
    settings.put("connect.hdfs.principal", Realm.principal("alice"));
    settings.put("connect.hdfs.keytab", stack.kdc().realm().keytab("alice").toString());
    return settings;
  }

  /** The login of this JVM, as that of a worker, is another one. */
  @Test
  void ownClientsOfKafkaLogInAsAnotherPrincipal(SecuredStack stack) throws Exception {
    try (Admin admin = stack.services().kafka().admin()) {
      admin.createTopics(Set.of(new NewTopic("own-clients", 1, (short) 1))).all().get();
    }
    Map<String, String> settings = settings(stack);
    settings.put("topics", "own-clients");
    stack
        .services()
        .kafka()
        .clientSettings("bob")
        .forEach((key, value) -> settings.put("kafka." + key, value));
    assertThat(errorsOf("kafka.bootstrap.servers", settings)).isEmpty();
    try (TopicMetadata topics =
        new KafkaTopicMetadata(
            new ConnectorConfig(settings).kafkaClient(), "connect-validated", true)) {
      assertThat(topics.identity("own-clients").topicId()).isNotEmpty();
    }
    settings.compute(
        "kafka.sasl.jaas.config",
        (key, value) -> String.valueOf(value).replace("bob@", "nobody-else@"));
    assertThat(errorsOf("kafka.bootstrap.servers", settings)).isNotEmpty();
  }

  private static List<String> errorsOfTheStore(Map<String, String> settings) {
    return errorsOf("store.url", settings);
  }

  private static List<String> errorsOf(String key, Map<String, String> settings) {
    return new TidemarkSinkConnector()
        .validate(settings).configValues().stream()
            .filter(value -> value.name().equals(key))
            .flatMap(value -> value.errorMessages().stream())
            .toList();
  }

  @Test
  void secondKdcOfTheRealmAnswersWhileTheFirstIsAwayOrHangs(SecuredStack stack) throws Exception {
    Kdc kdc = stack.kdcWithOutages();
    Kdc.SecondKdc second = kdc.startSecond();
    String first = "kdc = " + kdc.address();
    String line =
        Files.readString(second.realm().krb5Conf())
            .lines()
            .filter(each -> each.contains("kdc = localhost"))
            .findFirst()
            .orElseThrow();
    useWith(kdc.realm(), first, first + "\n" + line);
    try {
      kdc.stop();
      writesNew(stack, "alice", new StoragePath("/tmp/first-away"));
      kdc.ensureStarted();
      kdc.process().suspend();
      writesNew(stack, "alice", new StoragePath("/tmp/first-hangs"));
    } finally {
      kdc.process().resume();
      kdc.realm().use();
      second.process().stop();
    }
  }

  @Test
  void ticketThatCannotBeRenewedIsReplacedByANewLogin(SecuredStack stack) throws Exception {
    Kdc kdc = stack.kdcWithOutages();
    Duration life = Duration.ofSeconds(5);
    kdc.add("unrenewable");
    kdc.limitTicketLife("unrenewable", life);
    kdc.forbidRenewal("unrenewable");
    useWith(kdc.realm(), "[realms]", "  renew_lifetime = 1d\n[realms]");
    try {
      assertThat(kdc.realm().login("unrenewable").getPrivateCredentials(KerberosTicket.class))
          .allSatisfy(ticket -> assertThat(ticket.getRenewTill()).isBefore(ticket.getEndTime()));
      assertThat(kdc.realm().login("alice").getPrivateCredentials(KerberosTicket.class))
          .as("others can be renewed")
          .allSatisfy(ticket -> assertThat(ticket.getRenewTill()).isAfter(ticket.getEndTime()));
      try (Storage storage = open(stack, keytab(stack, "unrenewable"))) {
        write(storage, new StoragePath("/tmp/unrenewable-1"));
        Thread.sleep(life.multipliedBy(2).toMillis());
        write(storage, new StoragePath("/tmp/unrenewable-2"));
      }
      writesNew(stack, "unrenewable", new StoragePath("/tmp/unrenewable-3"));
    } finally {
      kdc.realm().use();
    }
  }

  /** Lets this JVM use the configuration of a realm with a change. */
  private static void useWith(Realm realm, String text, String replacement) throws IOException {
    String changed = Files.readString(realm.krb5Conf()).replace(text, replacement);
    Path file = Files.writeString(realm.krb5Conf().resolveSibling("krb5-changed.conf"), changed);
    new Realm(file, realm.keytabs()).use();
  }

  /** Writes a file after a login, over a new connection. */
  private static void writesNew(SecuredStack stack, String user, StoragePath file)
      throws IOException {
    try (Storage storage = open(stack, keytab(stack, user))) {
      write(storage, file);
      assertThat(read(storage, file)).isEqualTo(file.value());
    }
  }

  /** A login takes at least the kdc_timeout of krb5.conf, which is 2 s. */
  @Test
  void callsDoNotWaitForARenewalThatTheKdcDelays(SecuredStack stack) throws Exception {
    Kdc kdc = stack.kdcWithOutages();
    Path file = kdc.realm().keytab("alice");
    HadoopUser alice =
        new HadoopUser(
            Optional.of(
                Keytab.of(Realm.principal("alice"), file.toString(), Duration.ofSeconds(1))),
            Optional.empty());
    try (Storage storage = open(stack, alice)) {
      storage.find(new StoragePath("/"));
      kdc.process().suspend();
      try {
        long longest = 0;
        for (long end = System.nanoTime() + Duration.ofSeconds(5).toNanos();
            System.nanoTime() < end; ) {
          long begun = System.nanoTime();
          storage.find(new StoragePath("/"));
          longest = Math.max(longest, System.nanoTime() - begun);
          Thread.sleep(20);
        }
        assertThat(Duration.ofNanos(longest)).isLessThan(Duration.ofMillis(1_500));
      } finally {
        kdc.process().resume();
      }
    }
  }
}
