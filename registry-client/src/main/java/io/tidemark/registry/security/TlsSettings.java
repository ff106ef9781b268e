package io.tidemark.registry.security;

import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Settings of TLS connections.
 *
 * @param keys the client's certificate and private key (mTLS); empty: no client certificate
 * @param trust the trusted certificates; empty: those that the JVM trusts
 * @param hostNameChecked whether a server's certificate must be for its host name
 * @param protocols the offered protocols, such as {@code TLSv1.3}; empty: the JVM's
 */
public record TlsSettings(
    Optional<TlsStore> keys,
    Optional<TlsStore> trust,
    boolean hostNameChecked,
    List<String> protocols) {

  /** The default: the JVM's trusted certificates, no client certificate, host names checked. */
  public static final TlsSettings DEFAULT =
      new TlsSettings(Optional.empty(), Optional.empty(), true, List.of());

  public TlsSettings {
    Objects.requireNonNull(keys, "keys");
    Objects.requireNonNull(trust, "trust");
    protocols = List.copyOf(protocols);
  }
}
