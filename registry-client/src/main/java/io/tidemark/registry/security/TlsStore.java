package io.tidemark.registry.security;

import java.nio.file.Path;
import java.util.Locale;
import java.util.Objects;

/** Where certificates, and perhaps a private key with them, are kept. */
public sealed interface TlsStore {

  /** How a store is written. */
  enum Type {
    JKS,
    PKCS12,
    PEM;

    /**
     * The type of a name as the vendors' keys have it, in any case.
     *
     * @throws IllegalArgumentException when it is another; the message lists them
     */
    public static Type parse(String name) {
      for (Type type : values()) {
        if (type.name().equals(name.toUpperCase(Locale.ROOT))) {
          return type;
        }
      }
      throw new IllegalArgumentException("\"" + name + "\" is none of JKS, PKCS12, PEM.");
    }
  }

  /**
   * A file, which is read anew when it was replaced.
   *
   * @param password of the store; empty when it has none. A trust store opens without it, unchecked
   * @param keyPassword of the private key; empty when it is the store's
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
   * @param keyPassword empty when the key is not encrypted
   */
  record OfPem(Secret text, Secret keyPassword) implements TlsStore {
    public OfPem {
      Objects.requireNonNull(text, "text");
    }
  }
}
