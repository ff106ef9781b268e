package io.tidemark.registry.http;

import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * One request to a registry, and how its answer is read. It may be sent more than once, so it must
 * ask for the same thing each time.
 *
 * @param path begins with a slash; what it is made of is encoded
 * @param body what a POST or PUT carries, empty for a GET
 * @param expected what the answer should hold, for messages. Example: {@code a schema}
 * @param <T> what the answer holds
 */
public record Request<T>(
    String method, String path, Optional<String> body, String expected, Answer<T> answer) {

  private static final String UNRESERVED =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~";

  /** Reads the body of an answer. */
  @FunctionalInterface
  public interface Answer<T> {

    /** What it holds, or nothing when it is something else. */
    Optional<T> read(byte[] body);
  }

  /** A request for a resource. */
  public static <T> Request<T> get(String path, String expected, Answer<T> answer) {
    return new Request<>("GET", path, Optional.empty(), expected, answer);
  }

  /** A request that carries something; the registry does the same however often it comes. */
  public static <T> Request<T> post(String path, String body, String expected, Answer<T> answer) {
    return new Request<>("POST", path, Optional.of(body), expected, answer);
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
