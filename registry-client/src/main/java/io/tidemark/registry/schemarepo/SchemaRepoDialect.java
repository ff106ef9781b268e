package io.tidemark.registry.schemarepo;

import io.tidemark.registry.RegistryRefusedException.Reason;
import io.tidemark.registry.http.Dialect;
import io.tidemark.registry.http.Json;
import io.tidemark.registry.http.Request;
import io.tidemark.registry.http.Request.Answer;
import io.tidemark.registry.http.Request.Body;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/**
 * The REST API of AVRO-1124 over HTTP, with plain text and with errors as text.
 *
 * <pre>
 *   HTTP/1.1 404 Not Found
 *   Content-Type: text/plain
 *
 *   ERROR: This subject does not exist.
 * </pre>
 *
 * <p>It has no error codes: the HTTP status is used as the code.
 */
final class SchemaRepoDialect implements Dialect {
  static final String TEXT = "text/plain";
  static final String JSON = "application/json";

  private static final String ERROR = "ERROR: ";

  /** Returns a request for a text. */
  static <T> Request<T> get(String path, String expected, Answer<T> answer) {
    return new Request<>("GET", path, Optional.empty(), TEXT, expected, answer);
  }

  /**
   * Returns a request for a list in JSON, in which a schema may have several lines. The Accept
   * header has only JSON, because schema-repo 0.1.2 otherwise sends text. A response in text is
   * also read.
   */
  static <T> Request<T> list(String path, String expected, Answer<T> answer) {
    return new Request<>("GET", path, Optional.empty(), JSON, expected, answer);
  }

  /** Returns a request with a schema, which may be sent several times with the same effect. */
  static <T> Request<T> send(
      String method, String path, String schema, String expected, Answer<T> answer) {
    return new Request<>(
        method,
        path,
        Optional.of(new Body(TEXT + ";charset=UTF-8", schema)),
        TEXT,
        expected,
        answer);
  }

  /** Returns the text of a response, or empty for other content, such as a proxy's page. */
  static Optional<String> text(String mediaType, byte[] body) {
    return mediaType.equals(TEXT)
        ? Optional.of(new String(body, StandardCharsets.UTF_8))
        : Optional.empty();
  }

  /** Returns the lines of a response, or empty for other content, or for too many lines. */
  static Optional<List<String>> lines(String mediaType, byte[] body) {
    return text(mediaType, body)
        .map(text -> text.lines().limit(Json.MOST_TOKENS + 1L).toList())
        .filter(lines -> lines.size() <= Json.MOST_TOKENS);
  }

  @Override
  public Optional<ErrorBody> error(int status, String mediaType, byte[] body) {
    return text(mediaType, body)
        .filter(text -> text.startsWith(ERROR))
        .map(text -> new ErrorBody(status, text.substring(ERROR.length()).strip()));
  }

  @Override
  public Optional<Refusal> refusal(int status, ErrorBody error) {
    if (status != 404) {
      return Optional.empty();
    }
    if (error.message().startsWith("This subject")) {
      return Optional.of(
          new Refusal(
              Reason.SUBJECT_NOT_FOUND,
              "It was never created there. Check the subject's name, or create it."));
    }
    if (error.message().startsWith("This schema")) {
      return Optional.of(
          new Refusal(
              Reason.SCHEMA_NOT_FOUND,
              "The subject does not have it. Register it, or check the URL and the subject."));
    }
    return Optional.empty();
  }
}
