package io.tidemark.registry.confluent;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.registry.RegistryRefusedException.Reason;
import io.tidemark.registry.http.Dialect;
import io.tidemark.registry.http.Json;
import io.tidemark.registry.http.Request;
import java.util.Optional;
import java.util.function.Function;

/**
 * Confluent's REST API over HTTP. Its errors have their own codes.
 *
 * <pre>
 *   HTTP/1.1 404 Not Found
 *   {"error_code": 40403, "message": "Schema 4711 not found"}
 * </pre>
 *
 * <p>The codes are those of its documentation
 * (https://docs.confluent.io/platform/current/schema-registry/develop/api.html).
 */
final class ConfluentDialect implements Dialect {
  static final int SUBJECT_NOT_FOUND = 40401;
  static final int VERSION_NOT_FOUND = 40402;
  static final int SCHEMA_NOT_FOUND = 40403;

  private static final String MEDIA_TYPE = "application/vnd.schemaregistry.v1+json";
  private static final String ACCEPT = MEDIA_TYPE + ", application/json";

  /** Returns a request for a resource. */
  static <T> Request<T> get(String path, String expected, Function<byte[], Optional<T>> answer) {
    return new Request<>(
        "GET", path, Optional.empty(), ACCEPT, expected, (mediaType, body) -> answer.apply(body));
  }

  /** Returns a request with a JSON body, which may be sent several times with the same effect. */
  static <T> Request<T> post(
      String path, String json, String expected, Function<byte[], Optional<T>> answer) {
    return new Request<>(
        "POST",
        path,
        Optional.of(new Request.Body(MEDIA_TYPE, json)),
        ACCEPT,
        expected,
        (mediaType, body) -> answer.apply(body));
  }

  @Override
  public Optional<ErrorBody> error(int status, String mediaType, byte[] body) {
    JsonNode json = Json.read(body);
    return json.path("error_code").canConvertToInt()
        ? Optional.of(
            new ErrorBody(json.path("error_code").intValue(), json.path("message").asText()))
        : json.path("message").isTextual()
            ? Optional.of(new ErrorBody(status, json.path("message").textValue()))
            : Optional.empty();
  }

  @Override
  public Optional<Refusal> refusal(int status, ErrorBody error) {
    int code = error.code();
    if (status == 404) {
      return notFound(code);
    }
    if (status == 409 && (code == 409 || code / 100 == 409)) {
      return Optional.of(
          new Refusal(
              Reason.INCOMPATIBLE,
              "The schema breaks the compatibility level of the subject. Change the schema or the"
                  + " level."));
    }
    if (status == 400 || status == 422) {
      boolean forbidden = code == 42205;
      return Optional.of(
          new Refusal(
              forbidden ? Reason.OTHER : Reason.INVALID,
              forbidden
                  ? "The registry's mode does not allow it. Use the primary's URL, or change the"
                      + " mode."
                  : "The request, its schema, version or name is malformed." + " Correct it."));
    }
    return Optional.empty();
  }

  private static Optional<Refusal> notFound(int code) {
    return switch (code) {
      case SUBJECT_NOT_FOUND, 40404 ->
          Optional.of(
              new Refusal(
                  Reason.SUBJECT_NOT_FOUND,
                  "Nothing was registered there, or it was deleted. Check the subject's name and"
                      + " its context."));
      case VERSION_NOT_FOUND, 40406 ->
          Optional.of(
              new Refusal(
                  Reason.VERSION_NOT_FOUND,
                  "The version never existed, or was deleted. List the subject's versions."));
      case SCHEMA_NOT_FOUND ->
          Optional.of(
              new Refusal(
                  Reason.SCHEMA_NOT_FOUND,
                  "It was registered elsewhere, or not yet. Register it, or check the URL and the"
                      + " context."));
      default ->
          code / 100 == 404 && code != 404
              ? Optional.of(new Refusal(Reason.OTHER, "See the registry's documentation."))
              : Optional.empty();
    };
  }
}
