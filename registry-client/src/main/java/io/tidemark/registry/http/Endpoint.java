package io.tidemark.registry.http;

import io.tidemark.registry.security.BasicCredentials;
import io.tidemark.registry.security.Credentials;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * One address of a registry, with its credentials.
 *
 * <p>Examples: {@code http://registry:8081}, {@code
 * https://user:secret@registry.example/apis/ccompat/v7}
 *
 * @param base scheme, host, port and path, without credentials and without a slash at the end
 */
public record Endpoint(URI base, Optional<Credentials> credentials) {
  private static final String EXAMPLE = " Example: http://registry:8081";

  public Endpoint {
    Objects.requireNonNull(credentials, "credentials");
    if (!"http".equalsIgnoreCase(base.getScheme()) && !"https".equalsIgnoreCase(base.getScheme())) {
      throw new IllegalArgumentException(
          "a registry's URL must begin with http:// or https://." + EXAMPLE);
    }
    if (base.getHost() == null) {
      throw new IllegalArgumentException(
          "a registry's URL has no valid host name (an underscore is not valid in one)." + EXAMPLE);
    }
    if (base.getRawUserInfo() != null
        || base.getRawQuery() != null
        || base.getRawFragment() != null
        || base.toString().endsWith("/")) {
      throw new IllegalArgumentException(
          "a registry's URL must have a scheme, a host and at most a port and a path"
              + " (percent-encode ? and # in a password)."
              + EXAMPLE);
    }
  }

  /**
   * Parses one URL. Percent-encoded credentials in it are removed from the URL and used.
   *
   * @throws IllegalArgumentException if it is not a registry's URL; the message has no secrets
   */
  public static Endpoint parse(String url) {
    URI uri;
    try {
      uri = new URI(url.strip().replaceFirst("/+$", ""));
    } catch (URISyntaxException e) {
      // The exception's message contains the URL with its password: only the reason is passed on.
      throw new IllegalArgumentException(
          "a registry's URL is malformed at character "
              + e.getIndex()
              + ": "
              + e.getReason()
              + " (percent-encode special characters in a password)."
              + EXAMPLE);
    }
    return new Endpoint(
        withoutUserInfo(uri), Optional.ofNullable(uri.getUserInfo()).map(BasicCredentials::parse));
  }

  private static URI withoutUserInfo(URI uri) {
    String authority = uri.getRawAuthority();
    if (authority == null || !authority.contains("@")) {
      return uri;
    }
    String beforeAuthority = uri.getScheme() + "://";
    String host = authority.substring(authority.lastIndexOf('@') + 1);
    String path = uri.toString().substring(beforeAuthority.length() + authority.length());
    return URI.create(beforeAuthority + host + path);
  }

  /** Parses URLs that are separated by commas, in the order in which they are tried. */
  public static List<Endpoint> parseAll(String urls) {
    return Arrays.stream(urls.split(",", -1)).map(Endpoint::parse).toList();
  }

  /** Returns the same address with other credentials. */
  public Endpoint withCredentials(Credentials other) {
    return new Endpoint(base, Optional.of(other));
  }

  /** Returns the address of a resource; the path begins with a slash. */
  URI resource(String path) {
    return URI.create(base + path);
  }

  /** Returns a text without this endpoint's secrets. */
  String redact(String text) {
    return credentials.map(known -> known.redact(text)).orElse(text);
  }

  /** Returns the address without secrets. */
  @Override
  public String toString() {
    return base.toString();
  }
}
