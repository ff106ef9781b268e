package io.tidemark.registry.security;

import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * How connections over TLS are made.
 *
 * @param keys our own certificate and private key (mTLS); without it none is shown
 * @param trust the certificates of those we trust; without it those that the JVM trusts
 * @param hostNameChecked whether a server's certificate must be made out to its host name
 * @param protocols those that are offered, such as {@code TLSv1.3}; the JVM's when empty
 */
public record TlsSettings(
    Optional<TlsStore> keys,
    Optional<TlsStore> trust,
    boolean hostNameChecked,
    List<String> protocols) {

  /** The JVM's trust, no certificate of our own, host names checked. */
  public static final TlsSettings DEFAULT =
      new TlsSettings(Optional.empty(), Optional.empty(), true, List.of());

  public TlsSettings {
    Objects.requireNonNull(keys, "keys");
    Objects.requireNonNull(trust, "trust");
    protocols = List.copyOf(protocols);
  }
}
