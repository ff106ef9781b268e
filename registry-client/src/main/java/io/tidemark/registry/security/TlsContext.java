package io.tidemark.registry.security;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemark.registry.Printable;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.UnrecoverableKeyException;
import java.security.cert.Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The TLS context for the given settings. It is created again if one of its stores was replaced.
 * Safe for use by many threads.
 *
 * <p>Stores can be replaced while the process runs, and not always atomically. If a store cannot be
 * read, this is logged once, and the previous context stays in use.
 */
public final class TlsContext {
  private static final Logger LOG = LoggerFactory.getLogger(TlsContext.class);
  private static final int MOST_BYTES = 16 << 20;
  private static final char[] IN_MEMORY = "in memory".toCharArray();

  /** The version of a file; several attributes, because a copy may keep the time. */
  private record FileVersion(long bytes, long modifiedMs, @Nullable Object inode) {}

  private final TlsSettings settings;
  private SSLContext current;
  private List<FileVersion> seen;

  /**
   * Reads the stores.
   *
   * @throws IllegalArgumentException if a store cannot be read; the message contains the store, the
   *     cause and what to do, without secrets
   */
  public TlsContext(TlsSettings settings) {
    this.settings = settings;
    this.seen = versions();
    try {
      this.current = load();
    } catch (IOException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }

  /** Returns the context of the current stores: the same object while they do not change. */
  public synchronized SSLContext current() {
    List<FileVersion> now = versions();
    if (!now.equals(seen)) {
      seen = now;
      try {
        current = load();
        LOG.info("TLS stores were replaced, and are in use: {}", stores());
      } catch (IOException e) {
        LOG.warn(
            "The previous TLS stores stay in use: {}",
            Printable.of(String.valueOf(e.getMessage())));
      }
    }
    return current;
  }

  private List<Path> stores() {
    List<Path> paths = new ArrayList<>();
    for (Optional<TlsStore> store : List.of(settings.keys(), settings.trust())) {
      if (store.isPresent() && store.get() instanceof TlsStore.OfFile file) {
        paths.add(file.path());
      }
    }
    return paths;
  }

  private List<FileVersion> versions() {
    List<FileVersion> versions = new ArrayList<>();
    for (Path path : stores()) {
      try {
        BasicFileAttributes file = Files.readAttributes(path, BasicFileAttributes.class);
        versions.add(
            new FileVersion(file.size(), file.lastModifiedTime().toMillis(), file.fileKey()));
      } catch (IOException e) {
        // The file is missing now: loading it reports this.
        versions.add(new FileVersion(-1, 0, null));
      }
    }
    return versions;
  }

  private SSLContext load() throws IOException {
    @Nullable KeyManager[] keys =
        settings.keys().isPresent() ? keyManagers(settings.keys().get()) : null;
    @Nullable TrustManager[] trust = trustManagers();
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(keys, trust, null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new IOException("this JVM cannot make a TLS context: " + e.getMessage(), e);
    }
  }

  private static KeyManager[] keyManagers(TlsStore store) throws IOException {
    try {
      KeyManagerFactory factory =
          KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      if (store instanceof TlsStore.OfFile file && file.type() != TlsStore.Type.PEM) {
        Secret password = file.keyPassword().isEmpty() ? file.password() : file.keyPassword();
        factory.init(keyStore(file), password.value().toCharArray());
      } else {
        PemBlocks pem = new PemBlocks(text(store));
        KeyStore keys = empty();
        keys.setKeyEntry(
            "client",
            pem.key(keyPassword(store).value().toCharArray()),
            IN_MEMORY,
            pem.certificates().toArray(new Certificate[0]));
        factory.init(keys, IN_MEMORY);
      }
      return factory.getKeyManagers();
    } catch (GeneralSecurityException | IOException e) {
      throw unreadable("key store", store, e);
    }
  }

  private @Nullable TrustManager @Nullable [] trustManagers() throws IOException {
    if (settings.trust().isEmpty() && settings.hostNameChecked()) {
      return null;
    }
    TlsStore store = settings.trust().orElse(null);
    try {
      TrustManagerFactory factory =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      factory.init(store == null ? null : trustStore(store));
      TrustManager[] managers = factory.getTrustManagers();
      if (!settings.hostNameChecked()) {
        for (int i = 0; i < managers.length; i++) {
          if (managers[i] instanceof X509TrustManager manager) {
            managers[i] = new AnyHostTrust(manager);
          }
        }
      }
      return managers;
    } catch (GeneralSecurityException | IOException e) {
      throw unreadable("trust store", store, e);
    }
  }

  private static KeyStore trustStore(TlsStore store) throws GeneralSecurityException, IOException {
    if (store instanceof TlsStore.OfFile file && file.type() != TlsStore.Type.PEM) {
      return keyStore(file);
    }
    KeyStore trusted = empty();
    List<Certificate> certificates = new PemBlocks(text(store)).certificates();
    for (int i = 0; i < certificates.size(); i++) {
      trusted.setCertificateEntry("trusted-" + i, certificates.get(i));
    }
    return trusted;
  }

  private static KeyStore keyStore(TlsStore.OfFile file)
      throws GeneralSecurityException, IOException {
    KeyStore store = KeyStore.getInstance(file.type().name());
    char[] password = file.password().isEmpty() ? null : file.password().value().toCharArray();
    store.load(new ByteArrayInputStream(bytes(file)), password);
    if (store.size() == 0) {
      throw new IOException("it is empty");
    }
    return store;
  }

  private static KeyStore empty() throws GeneralSecurityException, IOException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    return store;
  }

  private static String text(TlsStore store) throws IOException {
    return store instanceof TlsStore.OfFile file
        ? new String(bytes(file), UTF_8)
        : ((TlsStore.OfPem) store).text().value();
  }

  /** Reads a store. A device could have no end, and a pipe no writer. */
  private static byte[] bytes(TlsStore.OfFile store) throws IOException {
    BasicFileAttributes file = Files.readAttributes(store.path(), BasicFileAttributes.class);
    if (!file.isRegularFile()) {
      throw new IOException(
          "it is a directory, a device or a pipe, which would be read without end. Name a file");
    }
    if (file.size() < 1 || file.size() > MOST_BYTES) {
      throw new IOException("it is not a file of 1 to " + MOST_BYTES + " bytes");
    }
    return Files.readAllBytes(store.path());
  }

  private static Secret keyPassword(TlsStore store) {
    return store instanceof TlsStore.OfFile file
        ? file.keyPassword()
        : ((TlsStore.OfPem) store).keyPassword();
  }

  private static IOException unreadable(String what, @Nullable TlsStore store, Exception problem) {
    String place =
        store instanceof TlsStore.OfFile file
            ? what + " " + file.path() + " (" + file.type() + ")"
            : store == null ? "the JVM's " + what : what + " given as text (PEM)";
    String reason =
        problem instanceof NoSuchFileException
            ? "it does not exist"
            : problem instanceof UnrecoverableKeyException
                    || problem.getCause() instanceof UnrecoverableKeyException
                ? "its password is wrong"
                // After "tag type" the JDK's message has a byte of the file.
                : Objects.requireNonNullElseGet(problem.getMessage(), problem::toString)
                    .replaceFirst("tag type -?\\d+", "its type");
    return new IOException(
        place + " cannot be read: " + reason + ". Check its location, type and password.", problem);
  }
}
