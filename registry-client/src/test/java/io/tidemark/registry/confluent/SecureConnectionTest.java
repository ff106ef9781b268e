package io.tidemark.registry.confluent;

import static io.tidemark.registry.TestIdentity.PASSWORD;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpsConfigurator;
import io.tidemark.registry.RegistryUnavailableException;
import io.tidemark.registry.SchemaId;
import io.tidemark.registry.ScriptedHost;
import io.tidemark.registry.TestIdentity;
import io.tidemark.registry.http.HttpSettings;
import io.tidemark.registry.security.Secret;
import io.tidemark.registry.security.TlsSettings;
import io.tidemark.registry.security.TlsStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Real TLS, with keys and certificates that the test creates. */
@Timeout(60)
final class SecureConnectionTest {
  private static final SchemaId ID = SchemaId.of(7);
  private static final String FOUND = "{\"schema\": \"\\\"long\\\"\"}";

  @TempDir static Path identities;
  private static TestIdentity server;
  private static TestIdentity client;
  private static TestIdentity other;

  @TempDir Path directory;
  private ScriptedHost host = new ScriptedHost();

  @BeforeAll
  static void makeIdentities() throws Exception {
    server = TestIdentity.of(identities);
    client = TestIdentity.of(identities);
    other = TestIdentity.of(identities);
  }

  @AfterEach
  void stop() {
    host.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"JKS", "PKCS12", "PEM"})
  void ownTrustStoreIsUsed(String type) throws Exception {
    start(server.server());
    ask(trusting(server.writeTrust(file("trust"), type), type));
    assertUnavailable(trusting(other.writeTrust(file("other"), type), type))
        .hasMessageContaining("cannot be reached over TLS")
        .hasMessageContaining("Its certificate is not trusted by this JVM")
        .hasMessageContaining("Tried once");
  }

  @Test
  void expiredCertificateIsNamedSo() throws Exception {
    TestIdentity expired = TestIdentity.expired(identities);
    start(expired.server());
    assertUnavailable(trusting(expired.writeTrust(file("trust"), "PKCS12"), "PKCS12"))
        .hasMessageContaining("Its certificate has expired. Renew it there, and check this")
        .hasMessageContaining("Tried once");
  }

  @Test
  void certificateOfAnotherHostIsRefusedUnlessTheCheckIsOff() throws Exception {
    TestIdentity elsewhere = TestIdentity.of(identities, "elsewhere");
    start(elsewhere.server());
    TlsSettings checking = trusting(elsewhere.writeTrust(file("trust"), "PKCS12"), "PKCS12");
    assertUnavailable(checking).hasMessageContaining("for another host");

    ask(new TlsSettings(Optional.empty(), checking.trust(), false, List.of()));
    Path stranger = other.writeTrust(file("other"), "PKCS12");
    TlsSettings unchecked =
        new TlsSettings(Optional.empty(), trusting(stranger, "PKCS12").trust(), false, List.of());
    assertUnavailable(unchecked).hasMessageContaining("not trusted");
  }

  @ParameterizedTest
  @ValueSource(strings = {"JKS", "PKCS12", "PEM", "text", "encrypted"})
  void ownCertificateIsShownToAServerThatAsksForIt(String form) throws Exception {
    start(server.serverFor(client));
    Optional<TlsStore> trust =
        trusting(server.writeTrust(file("trust"), "PKCS12"), "PKCS12").trust();
    assertUnavailable(new TlsSettings(Optional.empty(), trust, true, List.of()));
    ask(new TlsSettings(Optional.of(keys(client, form)), trust, true, List.of("TLSv1.3")));
    assertUnavailable(new TlsSettings(Optional.of(keys(other, form)), trust, true, List.of()));
  }

  @Test
  void rotatedTrustStoreIsUsedByTheSameClient() throws Exception {
    start(server.server());
    Path trust = other.writeTrust(file("trust"), "PKCS12");
    try (ConfluentRegistry registry = registry(trusting(trust, "PKCS12"))) {
      assertThatThrownBy(() -> registry.schema(ID))
          .isInstanceOf(RegistryUnavailableException.class);
      server.writeTrust(trust, "PKCS12");
      assertThat(registry.schema(ID).id()).isEqualTo(ID);

      Files.writeString(trust, "half a sto");
      assertThat(registry.schema(ID).id()).isEqualTo(ID);
      Files.delete(trust);
      assertThat(registry.schema(ID).id()).isEqualTo(ID);

      other.writeTrust(trust, "PKCS12");
      assertThatThrownBy(() -> registry.schema(ID))
          .isInstanceOf(RegistryUnavailableException.class);
    }
  }

  @Test
  void rotatedKeyStoreIsUsedByTheSameClient() throws Exception {
    start(server.serverFor(client));
    Path keys = other.writeKeys(file("keys"), "PKCS12");
    TlsSettings tls =
        new TlsSettings(
            Optional.of(store(keys, "PKCS12")),
            trusting(server.writeTrust(file("trust"), "PKCS12"), "PKCS12").trust(),
            true,
            List.of());
    try (ConfluentRegistry registry = registry(tls)) {
      assertThatThrownBy(() -> registry.schema(ID))
          .isInstanceOf(RegistryUnavailableException.class);
      client.writeKeys(keys, "PKCS12");
      assertThat(registry.schema(ID).id()).isEqualTo(ID);
    }
  }

  @Test
  void storeThatCannotBeReadIsToldWithoutItsPassword() throws Exception {
    Path store = server.writeTrust(file("trust"), "PKCS12");
    TlsStore wrong =
        new TlsStore.OfFile(store, TlsStore.Type.PKCS12, new Secret("hushhush"), Secret.NONE);
    assertRefused(wrong).hasMessageContaining("trust (PKCS12) cannot be read: its password is");
    TlsStore missing = store(file("nowhere"), "JKS");
    assertRefused(missing).hasMessageContaining("nowhere (JKS) cannot be read: it does not exist.");
    TlsStore empty = store(Files.writeString(file("empty"), "none"), "PEM");
    assertRefused(empty).hasMessageContaining("it has no block BEGIN CERTIFICATE");
  }

  @Test
  void keyOfAnotherFormIsToldWithItsCure() throws Exception {
    String old = client.keyPem().replace("PRIVATE KEY", "EC PRIVATE KEY") + client.certificatePem();
    TlsSettings tls =
        new TlsSettings(
            Optional.of(new TlsStore.OfPem(new Secret(old), Secret.NONE)),
            Optional.empty(),
            true,
            List.of());
    assertThatThrownBy(() -> registry(tls))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(
            "key store given as text (PEM) cannot be read: its private key is not")
        .hasMessageContaining("openssl pkcs8 -topk8");
  }

  @Test
  void nothingPrintsAStoresPasswordOrKey() throws Exception {
    TlsSettings tls =
        new TlsSettings(
            Optional.of(keys(client, "text")),
            Optional.of(store(file("trust"), "PKCS12")),
            true,
            List.of());
    assertThat(tls.toString())
        .doesNotContain(PASSWORD)
        .doesNotContain("PRIVATE")
        .contains("[hidden]");
  }

  private TlsStore keys(TestIdentity identity, String form) throws Exception {
    return switch (form) {
      case "text" ->
          new TlsStore.OfPem(
              new Secret(identity.keyPem() + identity.certificatePem()), Secret.NONE);
      case "encrypted" ->
          new TlsStore.OfPem(
              new Secret(identity.certificatePem() + identity.encryptedKeyPem()),
              new Secret(PASSWORD));
      case "PEM" ->
          store(
              Files.writeString(file("keys.pem"), identity.keyPem() + identity.certificatePem()),
              form);
      default -> store(identity.writeKeys(file("keys"), form), form);
    };
  }

  private static TlsStore store(Path file, String type) {
    Secret password = type.equals("PEM") ? Secret.NONE : new Secret(PASSWORD);
    return new TlsStore.OfFile(file, TlsStore.Type.parse(type), password, Secret.NONE);
  }

  private static TlsSettings trusting(Path file, String type) {
    return new TlsSettings(Optional.empty(), Optional.of(store(file, type)), true, List.of());
  }

  private Path file(String name) {
    return directory.resolve(name);
  }

  private void start(HttpsConfigurator tls) {
    host.close();
    host = new ScriptedHost(tls);
    host.thenJson(200, FOUND);
  }

  private void ask(TlsSettings tls) throws Exception {
    try (ConfluentRegistry registry = registry(tls)) {
      assertThat(registry.schema(ID).id()).isEqualTo(ID);
    }
  }

  private AbstractThrowableAssert<?, ? extends Throwable> assertUnavailable(TlsSettings tls) {
    return assertThatThrownBy(() -> ask(tls)).isInstanceOf(RegistryUnavailableException.class);
  }

  private AbstractThrowableAssert<?, ? extends Throwable> assertRefused(TlsStore trust) {
    return assertThatThrownBy(
            () -> registry(new TlsSettings(Optional.empty(), Optional.of(trust), true, List.of())))
        .isInstanceOf(IllegalArgumentException.class)
        .satisfies(e -> assertThat(e).message().doesNotContain("hushhush"));
  }

  private ConfluentRegistry registry(TlsSettings tls) {
    return new ConfluentRegistry(
        HttpSettings.builder(host.url())
            .tls(tls)
            .rounds(2)
            .backoffMs(1)
            .maxBackoffMs(1)
            .totalTimeoutMs(20_000)
            .build());
  }
}
