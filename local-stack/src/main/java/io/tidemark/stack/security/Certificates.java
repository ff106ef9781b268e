package io.tidemark.stack.security;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * The certificate of all servers of a secured stack, for the host {@code localhost}. It is signed
 * by itself.
 *
 * @param directory the folder of the key store and the trust store, both PKCS12
 */
public record Certificates(Path directory) {

  /** The password of both stores. The keys are of no worth outside of this stack. */
  public static final String PASSWORD = "changeit";

  /** The type of both stores. */
  public static final String TYPE = "PKCS12";

  private static final String ALIAS = "localhost";

  /** Returns the servers' key with its certificate. */
  public Path keyStore() {
    return directory.resolve("server.p12");
  }

  /** Returns the certificate for clients. */
  public Path trustStore() {
    return directory.resolve("trust.p12");
  }

  /** Returns the command of the JDK that creates the key store. */
  public List<String> creation(Path javaHome) {
    return List.of(
        javaHome.resolve("bin").resolve("keytool").toString(),
        "-genkeypair",
        "-alias",
        ALIAS,
        "-keyalg",
        "EC",
        "-groupname",
        "secp256r1",
        "-dname",
        "CN=localhost",
        "-ext",
        "san=dns:localhost,ip:127.0.0.1",
        "-validity",
        "3650",
        "-storetype",
        TYPE,
        "-storepass",
        PASSWORD,
        "-keystore",
        keyStore().toString());
  }

  /** Writes the trust store, after {@link #creation} has run. */
  public void writeTrustStore() throws IOException {
    try (OutputStream out = Files.newOutputStream(trustStore())) {
      Certificate certificate = read(keyStore()).getCertificate(ALIAS);
      KeyStore trusted = KeyStore.getInstance(TYPE);
      trusted.load(null, null);
      trusted.setCertificateEntry(ALIAS, certificate);
      trusted.store(out, PASSWORD.toCharArray());
    } catch (GeneralSecurityException e) {
      throw new IOException(trustStore() + " cannot be written", e);
    }
  }

  private static KeyStore read(Path file) throws IOException, GeneralSecurityException {
    KeyStore store = KeyStore.getInstance(TYPE);
    try (InputStream in = Files.newInputStream(file)) {
      store.load(in, PASSWORD.toCharArray());
    }
    return store;
  }

  /** Returns what clients in this JVM use to connect to the servers. */
  public SSLContext context() {
    try {
      TrustManagerFactory trust =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      trust.init(read(trustStore()));
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, trust.getTrustManagers(), null);
      return context;
    } catch (IOException | GeneralSecurityException e) {
      throw new IllegalStateException(trustStore() + " cannot be used", e);
    }
  }

  /** Returns {@code ssl-server.xml} of a Hadoop server. */
  public Map<String, String> ofHadoopServer() {
    return Map.of(
        "ssl.server.keystore.type", TYPE,
        "ssl.server.keystore.location", keyStore().toString(),
        "ssl.server.keystore.password", PASSWORD,
        "ssl.server.keystore.keypassword", PASSWORD,
        "ssl.server.truststore.type", TYPE,
        "ssl.server.truststore.location", trustStore().toString(),
        "ssl.server.truststore.password", PASSWORD);
  }

  /** Returns {@code ssl-client.xml} of a Hadoop client. */
  public Map<String, String> ofHadoopClient() {
    return Map.of(
        "ssl.client.truststore.type", TYPE,
        "ssl.client.truststore.location", trustStore().toString(),
        "ssl.client.truststore.password", PASSWORD);
  }

  /** Returns the settings of a Kafka broker. */
  public Map<String, String> ofKafkaBroker() {
    return Map.of(
        "ssl.keystore.type", TYPE,
        "ssl.keystore.location", keyStore().toString(),
        "ssl.keystore.password", PASSWORD,
        "ssl.key.password", PASSWORD,
        "ssl.truststore.type", TYPE,
        "ssl.truststore.location", trustStore().toString(),
        "ssl.truststore.password", PASSWORD);
  }

  /** Returns the settings of a Kafka client. */
  public Map<String, String> ofKafkaClient() {
    return Map.of(
        "ssl.truststore.type", TYPE,
        "ssl.truststore.location", trustStore().toString(),
        "ssl.truststore.password", PASSWORD);
  }
}
