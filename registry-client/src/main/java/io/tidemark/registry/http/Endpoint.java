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
 * One address of a registry, and how to authenticate there.
 *
 * <p>Examples of what is read: {@code http://registry:8081}, {@code
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
          "a registry's URL must hold a scheme, a host and at most a port and a path (percent-encode"
              + " ? and # in a password)."
              + EXAMPLE);
    }
  }

  /**
   * Reads one URL; credentials in it (percent-encoded) are taken out and used.
   *
   * @throws IllegalArgumentException when it is no URL of a registry; its message holds no secrets
   */
  public static Endpoint parse(String url) {
    URI uri;
    try {
      uri = new URI(url.strip().replaceFirst("/+$", ""));
    } catch (URISyntaxException e) {
      // The exception quotes its input, and a password with it: only the reason goes on.
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

  /** Reads URLs that are separated by commas, in the order in which they are to be tried. */
  public static List<Endpoint> parseAll(String urls) {
    return Arrays.stream(urls.split(",", -1)).map(Endpoint::parse).toList();
  }

  /** The same address with other credentials. */
  public Endpoint withCredentials(Credentials other) {
    return new Endpoint(base, Optional.of(other));
  }

  /** The address of a resource; the path begins with a slash. */
  URI resource(String path) {
    return URI.create(base + path);
  }

  /** The text without what would give a password away. */
  String redact(String text) {
    return credentials.map(known -> known.redact(text)).orElse(text);
  }

  /** The address without secrets. */
  @Override
  public String toString() {
    return base.toString();
  }
}
