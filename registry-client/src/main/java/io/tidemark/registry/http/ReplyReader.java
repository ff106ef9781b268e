package io.tidemark.registry.http;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.tidemark.registry.http.Reply.Failure;
import io.tidemark.registry.http.Reply.Found;
import io.tidemark.registry.http.Reply.Missing;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpHeaders;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/**
 * Reads an HTTP answer as what it means. Only a 404 that carries the registry's own error code says
 * that something is unknown: any other 404 comes from a wrong path or a proxy, and to take it for
 * "unknown id" would blame good records.
 */
final class ReplyReader {
  /**
   * Subject, version and schema not found, as Confluent's API numbers them
   * (https://docs.confluent.io/platform/current/schema-registry/develop/api.html).
   */
  private static final Set<Integer> NOT_FOUND_CODES = Set.of(40401, 40402, 40403);

  private static final int SHOWN_CHARACTERS = 200;
  private static final Pattern SECONDS = Pattern.compile("[0-9]{1,6}");
  private static final JsonMapper JSON =
      JsonMapper.builder().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS).build();

  private final Endpoint endpoint;
  private final URI resource;

  ReplyReader(Endpoint endpoint, URI resource) {
    this.endpoint = endpoint;
    this.resource = resource;
  }

  Reply read(int status, HttpHeaders headers, byte[] body) {
    JsonNode json = json(body);
    if (status == 200) {
      Optional<SchemaDocument> document = SchemaDocument.of(json);
      return document.isPresent()
          ? new Found(document.get())
          : lasting(
              "answered 200 with "
                  + (json.isMissingNode() ? contentType(headers) : "JSON that holds no schema")
                  + ". Another service or a proxy answers there.");
    }
    if (status == 404) {
      return NOT_FOUND_CODES.contains(json.path("error_code").asInt())
          ? new Missing()
          : lasting(
              "answered 404 without a registry's error code. The path of the URL is wrong"
                  + " (a registry behind a prefix needs it, as in http://host/apis/ccompat/v7), or"
                  + " another service or a proxy answers there.");
    }
    if (status == 401 || status == 403) {
      String sent =
          endpoint
              .credentials()
              .map(known -> "the credentials of user " + known.user())
              .orElse("a request without credentials");
      return new Failure(
          place()
              + "answered "
              + status
              + " and refuses "
              + sent
              + ". Check basic.auth.credentials.source and basic.auth.user.info, and what that"
              + " user may read.",
          false,
          0,
          null);
    }
    if (status >= 300 && status < 400) {
      return lasting(
          "answered "
              + status
              + ", a redirect"
              + headers.firstValue("location").map(this::target).orElse("")
              + ". Redirects are not followed, so that no credentials leave for another host.");
    }
    boolean mayPass = status == 408 || status == 429 || status >= 500;
    String problem = "answered " + status + said(json) + ".";
    return mayPass
        ? new Failure(
            place() + problem + " The registry is overloaded, failing or restarting. See its log.",
            true,
            retryAfterMs(headers),
            null)
        : lasting(problem + " Another service or a proxy may answer there.");
  }

  /** A failure that stays until somebody changes the configuration. */
  Failure lasting(String problem) {
    return new Failure(place() + problem + " Check schema.registry.url.", false, 0, null);
  }

  String place() {
    return resource + " ";
  }

  private static JsonNode json(byte[] body) {
    try {
      return JSON.readTree(body);
    } catch (JacksonException e) {
      return MissingNode.getInstance();
    } catch (IOException e) {
      throw new AssertionError("reading JSON from memory does no I/O", e);
    }
  }

  private static String contentType(HttpHeaders headers) {
    return headers
        .firstValue("content-type")
        .map(type -> "a body that is not JSON (" + printable(type) + ")")
        .orElse("a body that is not JSON");
  }

  private String said(JsonNode json) {
    String message = json.path("message").asText();
    return message.isEmpty() ? "" : " (" + printable(endpoint.redact(message)) + ")";
  }

  private String target(String location) {
    try {
      String host = resource.resolve(location).getHost();
      return host == null ? "" : " to host " + host;
    } catch (IllegalArgumentException e) {
      return " to a malformed address";
    }
  }

  /** Retry-After in seconds; its other form, a date, is not read (RFC 9110, section 10.2.3). */
  private static long retryAfterMs(HttpHeaders headers) {
    return headers
        .firstValue("retry-after")
        .filter(value -> SECONDS.matcher(value).matches())
        .map(value -> TimeUnit.SECONDS.toMillis(Long.parseLong(value)))
        .orElse(0L);
  }

  private static String printable(String text) {
    String cut = text.length() > SHOWN_CHARACTERS ? text.substring(0, SHOWN_CHARACTERS) : text;
    return cut.replaceAll("\\p{Cntrl}", " ");
  }
}
