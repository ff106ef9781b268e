package io.tidemark.registry.security;

import java.nio.file.Path;
import java.util.Locale;
import java.util.Objects;

/** A store of certificates, which may include a private key. */
public sealed interface TlsStore {

  /** The format of a store. */
  enum Type {
    JKS,
    PKCS12,
    PEM;

    /**
     * Returns the type of a name in the settings, in upper or lower case.
     *
     * @throws IllegalArgumentException if there is no such type; the message lists them
     */
    public static Type parse(String name) {
      for (Type type : values()) {
        if (type.name().equals(name.toUpperCase(Locale.ROOT))) {
          return type;
        }
      }
      throw new IllegalArgumentException("\"" + name + "\" is not one of JKS, PKCS12, PEM.");
    }
  }

  /**
   * A file, which is read again if it was replaced.
   *
   * @param password of the store; empty if it has none. Without a password, a trust store is loaded
   *     without an integrity check
   * @param keyPassword of the private key; empty if it is the store's
   */
  record OfFile(Path path, Type type, Secret password, Secret keyPassword) implements TlsStore {
    public OfFile {
      Objects.requireNonNull(path, "path");
      Objects.requireNonNull(type, "type");
    }
  }

  /**
   * Text in PEM: certificates, and a private key in PKCS#8.
   *
   * @param keyPassword empty if the key is not encrypted
   */
  record OfPem(Secret text, Secret keyPassword) implements TlsStore {
    public OfPem {
      Objects.requireNonNull(text, "text");
    }
  }
}
