package io.tidemark.stack;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;

/** A health check by an HTTP request and its response's body. */
final class HttpCheck implements HealthCheck {

  private static final Duration ANSWER = Duration.ofSeconds(5);

  private final WebClient client;
  private final URI uri;
  private final Function<String, Optional<String>> problemInBody;

  /**
   * @param problemInBody returns the problem that the body of a 200 shows, if any
   */
  HttpCheck(URI uri, Function<String, Optional<String>> problemInBody) {
    this(new WebClient(), uri, problemInBody);
  }

  HttpCheck(WebClient client, URI uri, Function<String, Optional<String>> problemInBody) {
    this.client = client;
    this.uri = uri;
    this.problemInBody = problemInBody;
  }

  @Override
  public Optional<String> problem() {
    // Without the header schema-repo answers 500.
    HttpRequest.Builder request =
        HttpRequest.newBuilder(uri).header("Accept", "*/*").timeout(ANSWER).GET();
    try {
      HttpResponse<String> response = client.send(request, HttpResponse.BodyHandlers.ofString());
      if (response.statusCode() != 200) {
        return Optional.of("GET " + uri + " answers " + response.statusCode());
      }
      return problemInBody.apply(response.body());
    } catch (IOException e) {
      return Optional.of("GET " + uri + " failed: " + e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.of("interrupted");
    }
  }
}
