package io.tidemark.registry;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsParameters;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.AlgorithmParameters;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import javax.crypto.Cipher;
import javax.crypto.EncryptedPrivateKeyInfo;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManagerFactory;

/**
 * A key with a certificate, created by the JDK's keytool, in the file formats of key stores and
 * trust stores.
 */
public final class TestIdentity {
  public static final String PASSWORD = "changeit";
  private static final String ENCRYPTION = "PBEWithHmacSHA256AndAES_256";

  private final KeyStore keys;

  private TestIdentity(KeyStore keys) {
    this.keys = keys;
  }

  /** Creates an identity for localhost. */
  public static TestIdentity of(Path directory) throws Exception {
    return of(directory, "localhost");
  }

  /** Creates an identity for a host name. */
  public static TestIdentity of(Path directory, String host) throws Exception {
    return make(file(directory), "self", host, "-validity", "2");
  }

  /**
   * Creates an expired identity that an authority has signed. A certificate that is itself trusted
   * would be trusted after its end.
   */
  public static TestIdentity expired(Path directory) throws Exception {
    Path file = file(directory);
    make(file, "authority", "authority", "-ext", "bc:c", "-startdate", "-20d", "-validity", "30");
    TestIdentity identity =
        make(
            file,
            "self",
            "localhost",
            "-signer",
            "authority",
            "-startdate",
            "-10d",
            "-validity",
            "1");
    identity.keys.deleteEntry("authority");
    return identity;
  }

  private static Path file(Path directory) throws IOException {
    return Files.createTempDirectory(directory, "identity").resolve("keys.p12");
  }

  private static TestIdentity make(Path file, String alias, String host, String... options)
      throws Exception {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-keystore",
                file.toString(),
                "-storetype",
                "PKCS12",
                "-storepass",
                PASSWORD,
                "-alias",
                alias,
                "-keyalg",
                "EC",
                "-dname",
                "CN=" + host,
                "-ext",
                "SAN=dns:" + host));
    command.addAll(List.of(options));
    Process keytool =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    assertThat(keytool.waitFor()).isZero();
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(file)) {
      keys.load(in, PASSWORD.toCharArray());
    }
    return new TestIdentity(keys);
  }

  /** A server with this identity that requests no client certificate. */
  public HttpsConfigurator server() throws Exception {
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keyManagers().getKeyManagers(), null, null);
    return new HttpsConfigurator(context);
  }

  /** A server with this identity that accepts one client only. */
  public HttpsConfigurator serverFor(TestIdentity client) throws Exception {
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(client.trustStore("PKCS12"));
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keyManagers().getKeyManagers(), trust.getTrustManagers(), null);
    return new HttpsConfigurator(context) {
      @Override
      public void configure(HttpsParameters parameters) {
        SSLParameters demanding = context.getDefaultSSLParameters();
        demanding.setNeedClientAuth(true);
        parameters.setSSLParameters(demanding);
      }
    };
  }

  private KeyManagerFactory keyManagers() throws GeneralSecurityException {
    KeyManagerFactory factory =
        KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    factory.init(keys, PASSWORD.toCharArray());
    return factory;
  }

  /** Writes the key and its certificate, and replaces an existing file. */
  public Path writeKeys(Path file, String type) throws Exception {
    KeyStore store = KeyStore.getInstance(type);
    store.load(null, null);
    store.setKeyEntry(
        "self",
        keys.getKey("self", PASSWORD.toCharArray()),
        PASSWORD.toCharArray(),
        new Certificate[] {keys.getCertificate("self")});
    return write(store, file);
  }

  /** Writes the certificate of the signer, and replaces an existing file. */
  public Path writeTrust(Path file, String type) throws Exception {
    return type.equals("PEM")
        ? Files.writeString(file, pem("CERTIFICATE", trusted().getEncoded()))
        : write(trustStore(type), file);
  }

  private KeyStore trustStore(String type) throws GeneralSecurityException, IOException {
    KeyStore store = KeyStore.getInstance(type);
    store.load(null, null);
    store.setCertificateEntry("trusted", trusted());
    return store;
  }

  /** The certificate of the signer, which may be this identity. */
  private Certificate trusted() throws GeneralSecurityException {
    Certificate[] chain = keys.getCertificateChain("self");
    return chain[chain.length - 1];
  }

  private static Path write(KeyStore store, Path file) throws Exception {
    try (OutputStream out = Files.newOutputStream(file)) {
      store.store(out, PASSWORD.toCharArray());
    }
    return file;
  }

  public String certificatePem() throws GeneralSecurityException {
    return pem("CERTIFICATE", keys.getCertificate("self").getEncoded());
  }

  public String keyPem() throws GeneralSecurityException {
    return pem("PRIVATE KEY", keys.getKey("self", PASSWORD.toCharArray()).getEncoded());
  }

  /** The key, encrypted under {@link #PASSWORD}. */
  public String encryptedKeyPem() throws GeneralSecurityException, IOException {
    Cipher cipher = Cipher.getInstance(ENCRYPTION);
    cipher.init(
        Cipher.ENCRYPT_MODE,
        SecretKeyFactory.getInstance(ENCRYPTION)
            .generateSecret(new PBEKeySpec(PASSWORD.toCharArray())));
    byte[] encrypted = cipher.doFinal(keys.getKey("self", PASSWORD.toCharArray()).getEncoded());
    // The name that the format has for this family of algorithms (RFC 8018).
    AlgorithmParameters parameters = AlgorithmParameters.getInstance("PBES2");
    parameters.init(cipher.getParameters().getEncoded());
    return pem(
        "ENCRYPTED PRIVATE KEY", new EncryptedPrivateKeyInfo(parameters, encrypted).getEncoded());
  }

  private static String pem(String label, byte[] bytes) {
    return "-----BEGIN "
        + label
        + "-----\n"
        + Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII)).encodeToString(bytes)
        + "\n-----END "
        + label
        + "-----\n";
  }
}
