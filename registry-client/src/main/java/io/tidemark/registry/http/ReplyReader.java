package io.tidemark.registry.http;

import io.tidemark.registry.RegistryRefusedException;
import io.tidemark.registry.RegistryRefusedException.Reason;
import io.tidemark.registry.http.Dialect.ErrorBody;
import io.tidemark.registry.http.Dialect.Refusal;
import io.tidemark.registry.http.Reply.Failure;
import io.tidemark.registry.http.Reply.Found;
import io.tidemark.registry.http.Reply.Refused;
import java.net.URI;
import java.net.http.HttpHeaders;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/**
 * Interprets an HTTP response. Only an error in the API's format means that something is not found.
 * Any other 404 comes from a wrong path or a proxy, and must not be treated as an unknown id: that
 * would reject good records.
 */
final class ReplyReader<T> {
  private static final Pattern SECONDS = Pattern.compile("[0-9]{1,6}");

  private final Endpoint endpoint;
  private final URI resource;
  private final Request<T> request;
  private final Dialect dialect;
  private final UnaryOperator<String> quotation;

  /** {@code quotation} returns a text of the server in brackets, without secrets, or empty. */
  ReplyReader(
      Endpoint endpoint, Request<T> request, Dialect dialect, UnaryOperator<String> quotation) {
    this.endpoint = endpoint;
    this.resource = endpoint.resource(request.path());
    this.request = request;
    this.dialect = dialect;
    this.quotation = quotation;
  }

  Reply<T> read(int status, HttpHeaders headers, byte[] body) {
    if (status >= 200 && status < 300) {
      Optional<T> value = request.answer().read(mediaType(headers), body);
      return value.isPresent()
          ? new Found<>(value.get())
          : lasting(
              status,
              "returned HTTP "
                  + status
                  + ", but not "
                  + request.expected()
                  + contentType(headers)
                  + ". Another service or a proxy responds there.");
    }
    Optional<ErrorBody> error = dialect.error(status, mediaType(headers), body);
    Optional<Refusal> refusal = error.flatMap(known -> dialect.refusal(status, known));
    if (error.isPresent() && refusal.isPresent()) {
      return new Refused<>(
          new RegistryRefusedException(
              place()
                  + "rejected the request with code "
                  + error.get().code()
                  + said(error)
                  + ". "
                  + refusal.get().cure(),
              error.get().code(),
              refusal.get().reason()));
    }
    int code = error.map(ErrorBody::code).orElse(status);
    boolean lacksResource = status == 404 || status == 405 || status == 501;
    if (lacksResource && request.feature().isPresent()) {
      return new Refused<>(
          new RegistryRefusedException(
              place()
                  + "returned HTTP "
                  + status
                  + " without a registry's error code: it does not support "
                  + request.feature().get()
                  + ". Older releases and some other registries lack this. If all other requests"
                  + " fail too, the path of the URL is wrong. Check schema.registry.url.",
              code,
              Reason.NOT_OFFERED));
    }
    if (status == 404) {
      return lasting(
          code,
          "returned HTTP 404 without a registry's error code. The path of the URL is wrong"
              + " (some registries need a path, such as http://host/apis/ccompat/v7), or another"
              + " service or a proxy responds there.");
    }
    if (status == 401 || status == 403) {
      return refusedAccess(status, code);
    }
    boolean mayPass = status == 408 || status == 429 || status >= 500;
    String problem = "returned HTTP " + status + said(error) + ".";
    return mayPass
        ? new Failure<>(
            place() + problem + " The registry is overloaded, failing or restarting. See its log.",
            code,
            true,
            retryAfterMs(headers),
            null)
        : lasting(code, problem + " Another service or a proxy may respond there.");
  }

  private Failure<T> refusedAccess(int status, int code) {
    String sent =
        endpoint
            .credentials()
            .map(known -> known.described() + ". " + known.cure())
            .orElse(
                "a request without credentials. Check basic.auth.credentials.source or"
                    + " bearer.auth.credentials.source.");
    return new Failure<>(
        place() + "returned HTTP " + status + " and rejects " + sent, code, false, 0, null);
  }

  /** Returns a permanent failure: the configuration must be corrected. */
  Failure<T> lasting(int code, String problem) {
    return new Failure<>(place() + problem + " Check schema.registry.url.", code, false, 0, null);
  }

  String place() {
    return resource + " ";
  }

  private static String mediaType(HttpHeaders headers) {
    String type = headers.firstValue("content-type").orElse("");
    int end = type.indexOf(';');
    return (end < 0 ? type : type.substring(0, end)).strip().toLowerCase(Locale.ROOT);
  }

  private String contentType(HttpHeaders headers) {
    return headers.firstValue("content-type").map(quotation).orElse("");
  }

  private String said(Optional<ErrorBody> error) {
    return error.map(ErrorBody::message).map(quotation).orElse("");
  }

  /** Returns Retry-After in ms; only seconds are read, not a date (RFC 9110, section 10.2.3). */
  private static long retryAfterMs(HttpHeaders headers) {
    return headers
        .firstValue("retry-after")
        .filter(value -> SECONDS.matcher(value).matches())
        .map(value -> TimeUnit.SECONDS.toMillis(Long.parseLong(value)))
        .orElse(0L);
  }
}
