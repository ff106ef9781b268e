package io.tidemark.registry.http;

import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * One request to a registry, and how its answer is read. It may be sent more than once, so it must
 * ask for the same thing each time.
 *
 * @param path begins with a slash; what it is made of is encoded
 * @param body what it carries, empty for a GET
 * @param accept the media types that are asked for
 * @param expected what the answer should hold, for messages. Example: {@code a schema}
 * @param feature what a registry without this resource does not offer; empty when all have it.
 *     Example: {@code contexts}
 * @param <T> what the answer holds
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

  /** A request for a resource that all registries of the kind have. */
  public Request(
      String method,
      String path,
      Optional<Body> body,
      String accept,
      String expected,
      Answer<T> answer) {
    this(method, path, body, accept, expected, Optional.empty(), answer);
  }

  /** The same request, for a resource that some registries lack. */
  public Request<T> ofFeature(String name) {
    return new Request<>(method, path, body, accept, expected, Optional.of(name), answer);
  }

  /** What a request carries, in UTF-8. */
  public record Body(String mediaType, String text) {}

  /** Reads the body of an answer. */
  @FunctionalInterface
  public interface Answer<T> {

    /**
     * What it holds, or nothing when it is something else.
     *
     * @param mediaType in lower case and without parameters; empty when the answer names none
     */
    Optional<T> read(String mediaType, byte[] body);
  }

  /** A segment of a path or a value of a query, encoded (RFC 3986). */
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
