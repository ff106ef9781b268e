package io.tidemark.registry;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * A host with real HTTP and the answers of a test: each request gets the next answer, and the last
 * answer is repeated. It has the cases that no real registry shows on request.
 */
public final class ScriptedHost implements AutoCloseable {
  private final HttpServer server;
  private final String scheme;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final Queue<Answer> answers = new ConcurrentLinkedQueue<>();
  private final List<String> requests = new CopyOnWriteArrayList<>();
  private final List<String> authorizations = new CopyOnWriteArrayList<>();
  private final List<String> bodies = new CopyOnWriteArrayList<>();
  private final List<Headers> headers = new CopyOnWriteArrayList<>();

  /** Writes one answer. */
  public interface Answer {
    void write(HttpExchange exchange) throws IOException;
  }

  public ScriptedHost() {
    this(create(Optional.empty()), "http");
  }

  /** A host that speaks HTTPS. */
  public ScriptedHost(HttpsConfigurator tls) {
    this(create(Optional.of(tls)), "https");
  }

  private static HttpServer create(Optional<HttpsConfigurator> tls) {
    InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    try {
      if (tls.isEmpty()) {
        return HttpServer.create(address, 0);
      }
      HttpsServer secure = HttpsServer.create(address, 0);
      secure.setHttpsConfigurator(tls.get());
      return secure;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private ScriptedHost(HttpServer server, String scheme) {
    this.server = server;
    this.scheme = scheme;
    server.setExecutor(threads);
    server.createContext("/", this::handle);
    server.start();
  }

  public String url() {
    return scheme + "://localhost:" + server.getAddress().getPort();
  }

  public ScriptedHost then(Answer answer) {
    answers.add(answer);
    return this;
  }

  public ScriptedHost then(int status, String contentType, String body, String... headers) {
    return then(
        exchange -> {
          byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
          exchange.getResponseHeaders().set("Content-Type", contentType);
          for (int i = 0; i < headers.length; i += 2) {
            exchange.getResponseHeaders().set(headers[i], headers[i + 1]);
          }
          exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
          exchange.getResponseBody().write(bytes);
        });
  }

  public ScriptedHost thenJson(int status, String body, String... headers) {
    return then(status, "application/vnd.schemaregistry.v1+json", body, headers);
  }

  /** The requested paths, in order. */
  public List<String> requests() {
    return requests;
  }

  /** The Authorization headers of the requests, in order. */
  public List<String> authorizations() {
    return authorizations;
  }

  /** The bodies of the requests, in order; empty for a GET. */
  public List<String> bodies() {
    return bodies;
  }

  /** The headers of the requests, in order. */
  public List<Headers> headers() {
    return headers;
  }

  private void handle(HttpExchange exchange) throws IOException {
    requests.add(exchange.getRequestURI().toString());
    headers.add(exchange.getRequestHeaders());
    bodies.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
    List<String> sent = exchange.getRequestHeaders().get("Authorization");
    if (sent != null) {
      authorizations.addAll(sent);
    }
    try (exchange) {
      Answer answer = answers.size() > 1 ? answers.remove() : answers.element();
      answer.write(exchange);
    }
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
