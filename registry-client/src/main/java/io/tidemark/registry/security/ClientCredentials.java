package io.tidemark.registry.security;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Objects;

/**
 * Credentials that a client exchanges for access tokens that expire: OAuth 2's grant of client
 * credentials (RFC 6749, section 4.4).
 *
 * @param tokenEndpoint the URL of the token endpoint
 * @param clientId sent with the secret by HTTP Basic, without form-encoding, as Confluent's clients
 *     do
 * @param scope the requested scopes, separated by blanks; empty for the server's default
 * @param renewalMs how long before its expiry a token is renewed, in ms, at most half of its
 *     lifetime; at least 0
 */
public record ClientCredentials(
    URI tokenEndpoint, String clientId, Secret clientSecret, String scope, long renewalMs)
    implements Credentials {

  public ClientCredentials {
    Objects.requireNonNull(clientSecret, "clientSecret");
    Objects.requireNonNull(scope, "scope");
    if (!"https".equalsIgnoreCase(tokenEndpoint.getScheme())
        && !"http".equalsIgnoreCase(tokenEndpoint.getScheme())) {
      throw new IllegalArgumentException(
          "the URL of a token endpoint must begin with https:// or http://.");
    }
    if (tokenEndpoint.getHost() == null || tokenEndpoint.getRawUserInfo() != null) {
      throw new IllegalArgumentException(
          "the URL of a token endpoint must have a host, and no user.");
    }
    if (renewalMs < 0) {
      throw new IllegalArgumentException("renewalMs must be at least 0: " + renewalMs);
    }
  }

  /** Returns the value of the Authorization header for the token endpoint. */
  public String authorization() {
    return "Basic " + pair().value();
  }

  @Override
  public String described() {
    return "an access token of client " + clientId;
  }

  @Override
  public String cure() {
    return "Check bearer.auth.client.id, bearer.auth.scope, bearer.auth.logical.cluster and"
        + " bearer.auth.identity.pool.id, and that client's permissions.";
  }

  @Override
  public String redact(String text) {
    return clientSecret.redact(pair().redact(text));
  }

  private Secret pair() {
    return new Secret(
        Base64.getEncoder()
            .encodeToString(
                (clientId + ":" + clientSecret.value()).getBytes(StandardCharsets.UTF_8)));
  }
}
