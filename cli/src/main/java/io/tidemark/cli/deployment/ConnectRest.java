package io.tidemark.cli.deployment;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidemark.store.PrintableText;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** A client of Kafka Connect's REST API. It only reads, except for {@link #restart}. */
public final class ConnectRest {
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);
  private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(15);
  private static final ObjectMapper JSON = new ObjectMapper();

  private final HttpClient http = HttpClient.newBuilder().connectTimeout(CONNECT_TIMEOUT).build();
  private final String url;
  private final Optional<String> userInfo;

  private ConnectRest(String url, Optional<String> userInfo) {
    this.url = url;
    this.userInfo = userInfo;
  }

  /**
   * Creates a client.
   *
   * @param url the user's URL; {@code http://user:password@host:8083} sends basic credentials
   */
  public static ConnectRest of(String url) throws CommandFailure {
    String shown = PrintableText.withoutCredentials(url);
    try {
      URI uri = new URI(url.replaceFirst("/+$", ""));
      if (!List.of("http", "https").contains(String.valueOf(uri.getScheme()))
          || uri.getHost() == null) {
        throw new CommandFailure(
            ExitCode.USAGE,
            "--connect \"%s\" is not the address of a Connect worker. Use http://host:8083 or https://host:8083."
                .formatted(PrintableText.of(shown)));
      }
      Optional<String> user = Optional.ofNullable(uri.getUserInfo());
      return new ConnectRest(uri.toString().replaceFirst("//[^/]*@", "//"), user);
    } catch (URISyntaxException e) {
      throw new CommandFailure(
          ExitCode.USAGE,
          "--connect \"%s\" is not a URL: %s. Use http://host:8083."
              .formatted(PrintableText.of(shown), PrintableText.line(e.getReason())),
          e);
    }
  }

  /** Returns the address without credentials. */
  public String url() {
    return url;
  }

  /** Returns a connector's deployed configuration. Secrets of providers are not resolved. */
  public SortedMap<String, String> config(String connector) throws CommandFailure {
    HttpResponse<String> response = get("/connectors/" + encoded(connector));
    if (response.statusCode() == 404) {
      throw new CommandFailure(
          ExitCode.USAGE,
          "%s has no connector \"%s\"; it has %s. Correct --connector or --connect."
              .formatted(url, PrintableText.of(connector), connectors()));
    }
    JsonNode config = body(response).path("config");
    if (!config.isObject()) {
      throw notConnect("/connectors/" + connector, "the response has no \"config\"");
    }
    SortedMap<String, String> properties = new TreeMap<>();
    config.properties().forEach(each -> properties.put(each.getKey(), each.getValue().asText()));
    return properties;
  }

  private String connectors() throws CommandFailure {
    List<String> names = new ArrayList<>();
    body(get("/connectors")).forEach(name -> names.add(PrintableText.of(name.asText())));
    return names.isEmpty() ? "none" : String.join(", ", names);
  }

  /** Returns a connector's state. Failures give {@code UNKNOWN}: the ledger matters more. */
  public ConnectorState state(String connector) {
    try {
      JsonNode status = body(get("/connectors/" + encoded(connector) + "/status"));
      SortedMap<Integer, String> tasks = new TreeMap<>();
      for (JsonNode task : status.path("tasks")) {
        tasks.put(task.path("id").asInt(), task.path("state").asText());
      }
      String state = status.path("connector").path("state").asText();
      return state.isEmpty()
          ? ConnectorState.UNKNOWN
          : new ConnectorState(PrintableText.of(state), tasks);
    } catch (CommandFailure e) {
      return ConnectorState.UNKNOWN;
    }
  }

  /** Restarts a connector and all its tasks, which Connect does within seconds. */
  public void restart(String connector) throws CommandFailure {
    HttpResponse<String> response =
        send(
            HttpRequest.newBuilder(
                    URI.create(
                        url
                            + "/connectors/"
                            + encoded(connector)
                            + "/restart?includeTasks=true&onlyFailed=false"))
                .POST(HttpRequest.BodyPublishers.noBody()));
    if (response.statusCode() != 202 && response.statusCode() != 204) {
      body(response);
    }
  }

  private HttpResponse<String> get(String path) throws CommandFailure {
    return send(HttpRequest.newBuilder(URI.create(url + path)));
  }

  private HttpResponse<String> send(HttpRequest.Builder request) throws CommandFailure {
    request.timeout(REQUEST_TIMEOUT).header("Accept", "application/json");
    userInfo.ifPresent(
        user ->
            request.header(
                "Authorization",
                "Basic "
                    + Base64.getEncoder().encodeToString(user.getBytes(StandardCharsets.UTF_8))));
    try {
      return http.send(request.build(), HttpResponse.BodyHandlers.ofString(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new CommandFailure(
          ExitCode.UNKNOWN,
          "%s: Connect does not answer (%s). The worker is down, or the address is wrong. Check --connect, or try another worker of the cluster."
              .formatted(url, PrintableText.of(e)),
          e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CommandFailure(
          ExitCode.UNKNOWN, url + ": interrupted during a request to Connect.", e);
    }
  }

  private JsonNode body(HttpResponse<String> response) throws CommandFailure {
    int status = response.statusCode();
    String path = response.uri().getPath();
    if (status == 401 || status == 403) {
      throw new CommandFailure(
          ExitCode.USAGE,
          "%s%s: Connect rejects the request (HTTP %d). It requires credentials. Use --connect http://user:password@host:8083."
              .formatted(url, path, status));
    }
    if (status == 409 || status >= 500) {
      throw new CommandFailure(
          ExitCode.UNKNOWN,
          "%s%s: Connect cannot answer now (HTTP %d). The cluster rebalances, or the worker has a failure. Try again."
              .formatted(url, path, status));
    }
    if (status != 200) {
      throw notConnect(path, "HTTP " + status);
    }
    try {
      JsonNode body = JSON.readTree(response.body());
      if (body.isContainerNode()) {
        return body;
      }
    } catch (JacksonException e) {
      throw notConnect(path, "no JSON");
    }
    throw notConnect(path, "no JSON object");
  }

  private CommandFailure notConnect(String path, String answer) {
    return new CommandFailure(
        ExitCode.USAGE,
        "%s%s: the service does not answer as Kafka Connect's REST API: %s. Another service has this address. Check --connect."
            .formatted(url, PrintableText.of(path), answer));
  }

  private static String encoded(String connector) {
    return URLEncoder.encode(connector, StandardCharsets.UTF_8).replace("+", "%20");
  }
}
