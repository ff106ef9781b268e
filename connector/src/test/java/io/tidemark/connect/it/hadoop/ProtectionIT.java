package io.tidemark.connect.it.hadoop;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.connect.hdfs.HadoopUser;
import io.tidemark.connect.hdfs.HdfsConnection;
import io.tidemark.connect.hdfs.Keytab;
import io.tidemark.connect.hive.HiveCatalog;
import io.tidemark.connect.hive.MetastoreAccess;
import io.tidemark.connect.hive.MetastoreSettings;
import io.tidemark.registry.security.Secret;
import io.tidemark.registry.security.TlsSettings;
import io.tidemark.registry.security.TlsStore;
import io.tidemark.stack.LocalStack;
import io.tidemark.stack.SecurityOptions;
import io.tidemark.stack.Service;
import io.tidemark.stack.security.Certificates;
import io.tidemark.stack.security.KdcKind;
import io.tidemark.stack.security.Protection;
import io.tidemark.stack.security.Realm;
import io.tidemark.store.Storage;
import io.tidemark.store.StoragePath;
import io.tidemark.store.table.TableName;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A secured HDFS and Metastore that require less than privacy, which other tests have. */
@Isolated
@Tag("exclusive")
@Tag("long")
final class ProtectionIT {
  private static final String KRB5_CONF = "java.security.krb5.conf";
  private static final StoragePath FILE = new StoragePath("/tmp/file");

  private final String usual = System.getProperty(KRB5_CONF, "");

  @AfterEach
  void restoreThisJvm() {
    System.setProperty(KRB5_CONF, usual);
    UserGroupInformation.reset();
  }

  @ParameterizedTest
  @EnumSource(
      value = Protection.class,
      names = {"AUTHENTICATION", "INTEGRITY"})
  void storeAndCatalogHaveTheProtectionOfTheServers(Protection protection) throws Exception {
    SecurityOptions options = SecurityOptions.USUAL.with(KdcKind.best()).with(protection);
    try (LocalStack stack =
        LocalStack.builder()
            .directory(HadoopStack.newDirectory())
            .firstCompilerOnly()
            .secured(options)
            .with(Service.METASTORE)
            .start()) {
      Map<String, String> settings = new HashMap<>(stack.hdfs().clientSettings());
      assertThat(settings)
          .containsEntry("hadoop.rpc.protection", protection.ofHadoop())
          .containsEntry("dfs.data.transfer.protection", protection.ofHadoop());
      HadoopUser alice = user(stack, "alice");
      try (Storage storage = open(stack, settings, alice)) {
        try (OutputStream out = storage.create(FILE)) {
          out.write(FILE.value().getBytes(UTF_8));
        }
        assertThat(storage.open(FILE).readAllBytes()).asString(UTF_8).isEqualTo(FILE.value());
      }
      try (HiveCatalog catalog =
          new HiveCatalog(
              MetastoreSettings.of(stack.metastore().uris(), access(stack)), Set.of())) {
        assertThat(catalog.exists(new TableName("default", "none"))).isFalse();
      }
      settings.put("hadoop.rpc.protection", "privacy");
      try (Storage storage = open(stack, settings, alice)) {
        assertThatThrownBy(() -> storage.find(FILE))
            .hasMessageContaining("No common protection layer between client and server")
            .hasMessageContaining("Set hadoop.rpc.protection in the core-site.xml");
      }
    }
  }

  private static HadoopUser user(LocalStack stack, String principal) {
    String file = stack.kdc().realm().keytab(principal).toString();
    Keytab keytab = Keytab.of(Realm.principal(principal), file, Duration.ofHours(1));
    return new HadoopUser(Optional.of(keytab), Optional.empty());
  }

  private static Storage open(LocalStack stack, Map<String, String> settings, HadoopUser user)
      throws IOException {
    return new HdfsConnection(stack.hdfs().uri(), Optional.empty(), settings, user).open();
  }

  private static MetastoreAccess access(LocalStack stack) {
    TlsStore trust =
        new TlsStore.OfFile(
            stack.security().certificates().trustStore(),
            TlsStore.Type.PKCS12,
            new Secret(Certificates.PASSWORD),
            Secret.NONE);
    TlsSettings tls = new TlsSettings(Optional.empty(), Optional.of(trust), true, List.of());
    return new MetastoreAccess(
        user(stack, SecurityOptions.CONNECT),
        Optional.of("hive/_HOST@" + Realm.NAME),
        Optional.of(tls));
  }
}
