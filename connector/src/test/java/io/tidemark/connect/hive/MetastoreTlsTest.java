package io.tidemark.connect.hive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.store.table.CatalogUnavailableException;
import io.tidemark.store.table.TableName;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.apache.thrift.transport.TSSLTransportFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A Metastore with TLS that requires a certificate of its clients, among several addresses. */
final class MetastoreTlsTest {
  private static final TableName NONE = new TableName("default", "none");

  @TempDir Path directory;

  private TlsFiles tls;
  private MemoryMetastore metastore;

  @BeforeEach
  void start() throws Exception {
    tls = TlsFiles.create(directory);
    metastore =
        new MemoryMetastore(
            TSSLTransportFactory.getServerSocket(
                0, 60_000, InetAddress.getByName("localhost"), tls.server()));
  }

  @AfterEach
  void stop() {
    metastore.close();
  }

  private static String nobody() throws IOException {
    try (ServerSocket free = new ServerSocket(0)) {
      return "thrift://localhost:" + free.getLocalPort();
    }
  }

  @Test
  void clientWithItsCertificateIsAnswered() throws Exception {
    try (HiveCatalog catalog =
        new HiveCatalog(MetastoreSettings.of(metastore.uris(), tls.client(true)), Set.of())) {
      assertThat(catalog.exists(NONE)).isFalse();
    }
  }

  @Test
  void clientWithoutACertificateIsToldTheSetting() throws Exception {
    try (HiveCatalog catalog =
        new HiveCatalog(MetastoreSettings.of(metastore.uris(), tls.client(false)), Set.of())) {
      assertThatThrownBy(() -> catalog.exists(NONE))
          .isInstanceOf(CatalogUnavailableException.class)
          .hasMessageContaining("hive.metastore.keystore");
    }
  }

  @Test
  void nextMetastoreIsUsedWhileTheFirstIsDown() throws Exception {
    try (HiveCatalog catalog =
        new HiveCatalog(
            MetastoreSettings.of(nobody() + "," + metastore.uris(), tls.client(true)), Set.of())) {
      assertThat(catalog.exists(NONE)).isFalse();
      assertThat(catalog.exists(NONE)).isFalse();
    }
  }

  @Test
  void storeThatIsMissingIsReadOnceItIsThere() throws Exception {
    Path store = tls.certificates().trustStore();
    Path away = store.resolveSibling("away");
    try (HiveCatalog catalog =
        new HiveCatalog(MetastoreSettings.of(metastore.uris(), tls.client(true)), Set.of())) {
      Files.move(store, away);
      assertThatThrownBy(() -> catalog.exists(NONE))
          .isInstanceOf(CatalogUnavailableException.class)
          .hasMessageContaining(
              "trust store " + store + " (PKCS12) cannot be read: it does not exist")
          .hasMessageContaining("hive.metastore.truststore.*");
      Files.move(away, store);
      assertThat(catalog.exists(NONE)).isFalse();
    }
  }
}
