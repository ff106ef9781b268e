package io.tidemark.registry.http;

import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * Internal. One request to a registry, with the parser of its response. It may be sent several
 * times, so it must be idempotent.
 *
 * @param path begins with a slash; its segments are percent-encoded
 * @param body the content; empty for a GET
 * @param accept the accepted media types
 * @param expected the expected content, for messages. Example: {@code a schema}
 * @param feature the optional feature of registries that the request needs; empty if all have it.
 *     Example: {@code contexts}
 * @param <T> the parsed response
 */
public record Request<T>(
    String method,
    String path,
    Optional<Body> body,
    String accept,
    String expected,
    Optional<String> feature,
    Answer<T> answer) {
  private static final String UNRESERVED =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~";

  /** Creates a request for a resource that all registries of the API have. */
  public Request(
      String method,
      String path,
      Optional<Body> body,
      String accept,
      String expected,
      Answer<T> answer) {
    this(method, path, body, accept, expected, Optional.empty(), answer);
  }

  /** Returns the same request, for a resource that some registries do not have. */
  public Request<T> ofFeature(String name) {
    return new Request<>(method, path, body, accept, expected, Optional.of(name), answer);
  }

  /** The content of a request, in UTF-8. */
  public record Body(String mediaType, String text) {}

  /** Parses the body of a response. */
  @FunctionalInterface
  public interface Answer<T> {

    /**
     * Returns the parsed body, or empty if it is something else.
     *
     * @param mediaType in lower case and without parameters; empty if the response has none
     */
    Optional<T> read(String mediaType, byte[] body);
  }

  /** Returns a segment of a path or a value of a query, percent-encoded (RFC 3986). */
  public static String encode(String text) {
    StringBuilder encoded = new StringBuilder();
    for (byte octet : text.getBytes(StandardCharsets.UTF_8)) {
      if (UNRESERVED.indexOf(octet) >= 0) {
        encoded.append((char) octet);
      } else {
        encoded.append(String.format("%%%02X", octet));
      }
    }
    return encoded.toString();
  }
}
