package io.tidemark.connect.hive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.connect.hdfs.HadoopUser;
import io.tidemark.connect.it.stack.OnRealStack;
import io.tidemark.connect.it.stack.RealStack;
import io.tidemark.stack.LocalStack;
import io.tidemark.stack.WebHdfs;
import io.tidemark.store.partition.HivePartition;
import io.tidemark.store.table.CatalogConflictException;
import io.tidemark.store.table.CatalogUnavailableException;
import io.tidemark.store.table.TableDefinition;
import io.tidemark.store.table.TableName;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.avro.SchemaBuilder;
import org.apache.thrift.transport.TSSLTransportFactory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The ways to a Metastore: over HTTP, with TLS on both sides, by several addresses, as a user. */
@OnRealStack
final class MetastoreTransportsIT {
  private static final HivePartition SEVEN = HivePartition.parse("hour=07");
  private static final String USER = "of-hive";

  @TempDir Path directory;

  private RealStack real;
  private LocalStack stack;

  @BeforeEach
  void makeDirectories(RealStack real) throws IOException {
    this.real = real;
    this.stack = real.services();
    WebHdfs files = stack.hdfs().files();
    files.makeDirectories("/ways/all");
    files.setPermission("/ways/all", "777");
    files.makeDirectories("/ways/closed");
    files.setPermission("/ways/closed", "755");
  }

  private static MetastoreAccess as(String user) {
    return new MetastoreAccess(
        new HadoopUser(Optional.empty(), Optional.of(user)), Optional.empty(), Optional.empty());
  }

  private TableDefinition table(String directory, String name) {
    return new TableDefinition(
        new TableName("default", name),
        stack.hdfs().uri() + directory + "/" + name,
        SchemaBuilder.record("Row").fields().requiredLong("id").endRecord(),
        List.of("hour"),
        Map.of(HiveCatalog.LOG, "ours", HiveCatalog.SCHEMA_VERSION, "1"));
  }

  /** Registers a table and a Hive partition, whose directories the Metastore creates as a user. */
  private void registers(String uris, String name) throws Exception {
    TableDefinition table = table("/ways/all", name);
    try (HiveCatalog catalog = new HiveCatalog(MetastoreSettings.of(uris, as(USER)), Set.of())) {
      catalog.registerTable(table);
      assertThat(catalog.addPartitions(table, List.of(SEVEN))).isEmpty();
      assertThat(catalog.exists(table.name())).isTrue();
      assertThat(catalog.partitions(table.name())).containsExactly(SEVEN);
      assertThat(owner("/ways/all", name)).isEqualTo(USER);

      assertThatThrownBy(() -> catalog.registerTable(table("/ways/closed", name + "_closed")))
          .isInstanceOfAny(CatalogConflictException.class, CatalogUnavailableException.class)
          .hasMessageContaining("Permission denied: user=" + USER)
          .hasMessageContaining("Give the user whom the Metastore's message names access");
    }
  }

  private String owner(String directory, String name) throws IOException {
    return stack.hdfs().files().list(directory).stream()
        .filter(each -> each.path().equals(directory + "/" + name))
        .findFirst()
        .orElseThrow()
        .owner();
  }

  @Test
  void userOfTheConnectorIsSentToAMetastoreWithoutALogin() throws Exception {
    registers(stack.metastore().uris(), "as_user");
  }

  @Test
  void metastoreWithHttpTransportRegistersAsTheUserOfTheConnector() throws Exception {
    String uris =
        real.withOtherMetastore(Map.of("metastore.server.thrift.transport.mode", "http"))
            .services()
            .metastore()
            .uris();
    assertThat(uris).startsWith("http://");
    registers(uris, "over_http");

    try (HiveCatalog catalog =
        new HiveCatalog(
            MetastoreSettings.of(
                uris.replace("/metastore", "/wrong"), MetastoreAccess.OF_THE_PROCESS),
            Set.of())) {
      assertThatThrownBy(() -> catalog.exists(new TableName("default", "none")))
          .hasMessageContaining("HTTP status 405")
          .hasMessageContaining("Correct the port and the path");
    }
  }

  @Test
  void nextMetastoreIsUsedWithTlsOnBothSides() throws Exception {
    TlsFiles tls = TlsFiles.create(directory);
    TableName none = new TableName("default", "none");
    try (MetastoreFront first = front(tls);
        MetastoreFront second = front(tls);
        HiveCatalog catalog =
            new HiveCatalog(
                MetastoreSettings.of(first.uri() + "," + second.uri(), tls.client(true)),
                Set.of())) {
      assertThat(catalog.exists(none)).isFalse();
      first.stop();
      assertThat(catalog.exists(none)).isFalse();
      try (HiveCatalog later =
              new HiveCatalog(
                  MetastoreSettings.of(first.uri() + "," + second.uri(), tls.client(true)),
                  Set.of());
          HiveCatalog without =
              new HiveCatalog(MetastoreSettings.of(second.uri(), tls.client(false)), Set.of())) {
        assertThat(later.exists(none)).isFalse();
        assertThatThrownBy(() -> without.exists(none))
            .isInstanceOf(CatalogUnavailableException.class)
            .hasMessageContaining("hive.metastore.keystore");
      }
    }
  }

  private MetastoreFront front(TlsFiles tls) throws Exception {
    ServerSocket server =
        TSSLTransportFactory.getServerSocket(
                0, 60_000, InetAddress.getByName("localhost"), tls.server())
            .getServerSocket();
    server.setSoTimeout(0);
    return new MetastoreFront(server, stack.metastore().uris());
  }
}
