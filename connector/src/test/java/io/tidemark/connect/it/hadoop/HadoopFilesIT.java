package io.tidemark.connect.it.hadoop;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.connect.StorageFactory;
import io.tidemark.connect.config.ConnectorConfig;
import io.tidemark.connect.pipeline.LandedRows;
import io.tidemark.connect.pipeline.OneSchema;
import io.tidemark.connect.pipeline.Quotes;
import io.tidemark.connect.pipeline.TestTask;
import io.tidemark.stack.Security;
import io.tidemark.stack.security.Certificates;
import io.tidemark.stack.security.Realm;
import io.tidemark.store.Storage;
import io.tidemark.store.StoragePath;
import io.tidemark.store.partition.FieldPartitioned;
import io.tidemark.store.partition.PartitionSpec;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.crypto.key.KeyProvider;
import org.apache.hadoop.crypto.key.KeyProviderFactory;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.AclEntry;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.client.CreateEncryptionZoneFlag;
import org.apache.hadoop.hdfs.client.HdfsAdmin;
import org.apache.hadoop.security.alias.CredentialProvider;
import org.apache.hadoop.security.alias.CredentialProviderFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Modes, owners, ACLs and encryption of the files that land, by the connector's configuration. */
@OnSecuredStack
final class HadoopFilesIT {
  private static final StoragePath TABLE = new StoragePath("/topics/quotes");

  @TempDir java.nio.file.Path confDir;

  private final Quotes quotes = new Quotes();

  @Test
  void settingsOfTheConfigurationOverrideTheFilesOfHadoop(SecuredStack stack) throws Exception {
    String root = prepare(stack, "/tmp/settings");
    Map<String, String> keys =
        Map.of(
            "hadoop.dfs.replication", "2",
            "hadoop.dfs.blocksize", "2m",
            "hadoop.rpc.protection", "integrity,privacy");
    try (Storage storage = open(stack, root, keys)) {
      storage.create(new StoragePath("/file")).close();
    }
    try (DistributedFileSystem files = operator(stack)) {
      FileStatus file = files.getFileStatus(new Path(root, "file"));
      assertThat(file.getReplication()).isEqualTo((short) 2);
      assertThat(file.getBlockSize()).isEqualTo(2 << 20);
    }
    Map<String, String> wrong = Map.of("hadoop.rpc.protection", "authentication");
    try (Storage storage = open(stack, root, wrong)) {
      assertThatThrownBy(() -> storage.list(new StoragePath("/")))
          .hasMessageContaining("No common protection layer between client and server");
    }
  }

  @Test
  void whatLandsHasTheModeOfTheUmaskAndTheGroupOfItsDirectory(SecuredStack stack) throws Exception {
    String root = prepare(stack, "/tmp/umask");
    try (DistributedFileSystem files = operator(stack)) {
      files.setOwner(new Path(root), "alice", "readers");
      try (Storage storage = open(stack, root, Map.of("hadoop.fs.permissions.umask-mode", "027"))) {
        land(storage, PartitionSpec.NONE);
      }
      assertThat(below(files, new Path(root)))
          .hasSizeGreaterThan(6)
          .allSatisfy(
              file -> {
                assertThat(file.getPermission().toOctal())
                    .isEqualTo((short) (file.isDirectory() ? 750 : 640));
                assertThat(file.getOwner()).isEqualTo("alice");
                assertThat(file.getGroup()).isEqualTo("readers");
              });
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"022", "077"})
  void whatLandsInheritsTheDefaultAclOfItsDirectory(String umask, SecuredStack stack)
      throws Exception {
    String root = prepare(stack, "/tmp/acl-" + umask);
    try (DistributedFileSystem files = operator(stack)) {
      files.modifyAclEntries(
          new Path(root),
          AclEntry.parseAclSpec(
              "user:bob:r-x,default:user:bob:r-x,default:group::---,default:other::---", true));
      try (Storage storage = open(stack, root, Map.of("hadoop.fs.permissions.umask-mode", umask))) {
        land(storage, FieldPartitioned.parse("key"));
      }
      assertThat(below(files, new Path(root)))
          .hasSizeGreaterThan(6)
          .allSatisfy(
              file ->
                  assertThat(files.getAclStatus(file.getPath()).toString())
                      .contains("user:bob:r-x")
                      .contains(file.isDirectory() ? "default:user:bob:r-x" : "group::---"));
    }
    try (Storage bob = open(stack, "bob", root, Map.of())) {
      assertThat(LandedRows.keys(bob, TABLE)).containsExactlyInAnyOrder("x", "y");
    }
    try (Storage carol = open(stack, "carol", root, Map.of())) {
      assertThatThrownBy(() -> LandedRows.keys(carol, TABLE))
          .hasMessageContaining("Permission denied: user=carol");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"logs", "none"})
  void tableInAZoneLandsWithItsLogInAnotherOrNone(String other, SecuredStack stack)
      throws Exception {
    String root = prepare(stack, "/tmp/zone-and-" + other);
    encrypt(stack, root + "/topics");
    if (!other.equals("none")) {
      encrypt(stack, root + "/" + other);
    }
    try (Storage storage = open(stack, root, Map.of())) {
      land(storage, FieldPartitioned.parse("key"));
      assertThat(LandedRows.keys(storage, TABLE)).containsExactlyInAnyOrder("x", "y");
    }
    try (DistributedFileSystem files = operator(stack)) {
      assertThat(below(files, new Path(root, "topics"))).allMatch(FileStatus::isEncrypted);
      assertThat(below(files, new Path(root, "logs")))
          .isNotEmpty()
          .allMatch(file -> file.isEncrypted() == other.equals("logs"));
    }
  }

  @Test
  void batchForAZoneInsideItsTableIsNotCommittedUntilTheZoneIsRemoved(SecuredStack stack)
      throws Exception {
    String root = prepare(stack, "/tmp/zone-inside");
    encrypt(stack, root + "/topics/quotes/key=x");
    quotes.produce("x");
    try (Storage storage = open(stack, root, Map.of());
        TestTask task = task(storage, FieldPartitioned.parse("key"))) {
      task.open(0);
      assertThat(task.reaches(10_000, () -> task.committedOffsets().containsValue(1L))).isFalse();
      assertThat(LandedRows.batches(storage, Quotes.LOG)).isEmpty();
      StoragePath zone = TABLE.child("key=x");
      assertThatThrownBy(() -> storage.requireRenames(TABLE.child(".staging"), zone))
          .hasMessageContaining("in no encryption zone")
          .hasMessageContaining("in the encryption zone " + root + zone.value())
          .hasMessageContaining("create the zone above the table's root");
      assertThat(storage.deleteTree(zone)).isTrue();
      task.pollUntilLanded(0);
    }
    try (Storage storage = open(stack, root, Map.of())) {
      assertThat(LandedRows.keys(storage, TABLE)).containsExactly("x");
    }
  }

  @Test
  @Tag("long")
  void outageOfTheKeyServerIsWaitedOut(SecuredStack stack) throws Exception {
    String root = prepare(stack, "/tmp/zone-of-outage");
    encrypt(stack, root + "/topics");
    try (Storage storage = open(stack, root, Map.of())) {
      try (TestTask task = task(storage, PartitionSpec.NONE)) {
        quotes.produce("x");
        task.open(0);
        task.pollUntilLanded(0);
        stack.services().kms().process().kill();
        quotes.produce("y");
        assertThat(task.reaches(5_000, () -> task.committedOffsets().containsValue(2L))).isFalse();
        assertThatThrownBy(() -> storage.create(new StoragePath("/topics/file")))
            .hasMessageContaining("the key management server (KMS) failed: ");
        stack.services().kms().process().start();
        task.pollUntilLanded(0);
      }
      assertThat(LandedRows.keys(storage, TABLE)).containsExactlyInAnyOrder("x", "y");
    }
  }

  /** The directory has ssl-client.xml without the password, as a cluster's administrator has it. */
  @Test
  @Tag("long")
  void keyServerIsTrustedByTheFilesOfHadoopAndACredentialProvider(SecuredStack stack)
      throws Exception {
    String root = prepare(stack, "/tmp/zone-by-files");
    encrypt(stack, root + "/topics");
    Configuration core = new Configuration(false);
    stack.services().hdfs().clientSettings().forEach(core::set);
    Configuration ssl = new Configuration(false);
    for (String name : List.of("ssl.client.truststore.location", "ssl.client.truststore.type")) {
      ssl.set(name, core.get(name));
      core.unset(name);
    }
    core.unset("ssl.client.truststore.password");
    String credentials = "localjceks://file" + confDir.toAbsolutePath() + "/hadoop.jceks";
    write("ssl-client.xml", ssl);
    write("core-site.xml", core);
    StoragePath file = new StoragePath("/topics/file");
    try (Storage storage = open(stack, root, files("without-password"))) {
      assertThatThrownBy(() -> create(storage, file)).isInstanceOf(IOException.class);
      assertThat(storage.delete(file)).isTrue();
    }
    core.set(CredentialProviderFactory.CREDENTIAL_PROVIDER_PATH, credentials);
    CredentialProvider provider = CredentialProviderFactory.getProviders(core).get(0);
    provider.createCredentialEntry(
        "ssl.client.truststore.password", Certificates.PASSWORD.toCharArray());
    provider.flush();
    write("core-site.xml", core);
    try (Storage storage = open(stack, root, files("with-password"))) {
      create(storage, file);
      assertThat(storage.open(file).readAllBytes()).asString(UTF_8).isEqualTo(file.value());
    }
  }

  /** Clients of one context share the connection to a key server. */
  private Map<String, String> files(String context) {
    return Map.of("hadoop.conf.dir", confDir.toString(), "hadoop.dfs.client.context", context);
  }

  private void write(String file, Configuration settings) throws IOException {
    try (OutputStream out = Files.newOutputStream(confDir.resolve(file))) {
      settings.writeXml(out);
    }
  }

  private static void create(Storage storage, StoragePath file) throws IOException {
    try (OutputStream out = storage.create(file)) {
      out.write(file.value().getBytes(UTF_8));
    }
  }

  private void land(Storage storage, PartitionSpec partitioning) throws IOException {
    quotes.produce("x");
    quotes.produce("y");
    quotes.land(task(storage, partitioning));
  }

  private TestTask task(Storage storage, PartitionSpec partitioning) {
    return new TestTask(
        quotes.topic,
        storage,
        new OneSchema(Quotes.SCHEMA, Quotes.SCHEMA_ID),
        partitioning,
        Optional.empty(),
        1_000,
        100);
  }

  private static Storage open(SecuredStack stack, String root, Map<String, String> keys)
      throws IOException {
    return open(stack, "alice", root, keys);
  }

  private static Storage open(
      SecuredStack stack, String user, String root, Map<String, String> keys) throws IOException {
    Map<String, String> all = new HashMap<>();
    all.put("store.url", stack.uri() + root);
    all.put("hadoop.conf.dir", stack.services().hdfs().clientConfiguration().toString());
    all.put("hdfs.authentication.kerberos", "true");
    all.put("connect.hdfs.principal", Realm.principal(user));
    all.put("connect.hdfs.keytab", stack.kdc().realm().keytab(user).toString());
    all.putAll(keys);
    return StorageFactory.open(ConnectorConfig.unchecked(all), Map.of());
  }

  /** A file system of the superuser. */
  private static DistributedFileSystem operator(SecuredStack stack) throws Exception {
    return (DistributedFileSystem)
        stack.fileSystemOf(stack.login(Security.NAME_NODE), stack.configuration());
  }

  private static String prepare(SecuredStack stack, String root) throws Exception {
    try (DistributedFileSystem files = operator(stack)) {
      files.mkdirs(new Path(root));
      files.setOwner(new Path(root), "alice", null);
    }
    return root;
  }

  /** Creates a directory of alice as an encryption zone with a key of its own. */
  private static void encrypt(SecuredStack stack, String directory) throws Exception {
    Configuration conf = stack.configuration();
    String key = directory.replaceAll("\\W", "-");
    try (Storage alice = open(stack, directory, Map.of())) {
      alice.makeDirectories(new StoragePath("/"));
    }
    SecuredStack.as(
        stack.login(Security.NAME_NODE),
        () -> {
          KeyProvider keys = KeyProviderFactory.get(URI.create(stack.services().kms().uri()), conf);
          keys.createKey(key, new KeyProvider.Options(conf));
          new HdfsAdmin(stack.uri(), conf)
              .createEncryptionZone(
                  new Path(directory), key, EnumSet.noneOf(CreateEncryptionZoneFlag.class));
          return null;
        });
  }

  /** All files and directories below a directory. */
  private static List<FileStatus> below(DistributedFileSystem files, Path directory)
      throws IOException {
    List<FileStatus> all = new ArrayList<>();
    for (FileStatus file : files.listStatus(directory)) {
      all.add(file);
      if (file.isDirectory()) {
        all.addAll(below(files, file.getPath()));
      }
    }
    return all;
  }
}
