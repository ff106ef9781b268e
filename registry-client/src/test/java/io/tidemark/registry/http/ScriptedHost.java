package io.tidemark.registry.http;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * A host that speaks real HTTP and answers as a test tells it: each request gets the next answer,
 * the last answer stays. For what no real registry does on demand.
 */
final class ScriptedHost implements AutoCloseable {
  private final HttpServer server;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final Queue<Answer> answers = new ConcurrentLinkedQueue<>();
  private final List<String> requests = new CopyOnWriteArrayList<>();
  private final List<String> authorizations = new CopyOnWriteArrayList<>();

  /** Writes one answer. */
  interface Answer {
    void write(HttpExchange exchange) throws IOException;
  }

  ScriptedHost() {
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.setExecutor(threads);
    server.createContext("/", this::handle);
    server.start();
  }

  String url() {
    return "http://localhost:" + server.getAddress().getPort();
  }

  ScriptedHost then(Answer answer) {
    answers.add(answer);
    return this;
  }

  ScriptedHost then(int status, String contentType, String body, String... headers) {
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

  ScriptedHost thenJson(int status, String body, String... headers) {
    return then(status, "application/vnd.schemaregistry.v1+json", body, headers);
  }

  /** The paths that were asked for, in order. */
  List<String> requests() {
    return requests;
  }

  /** The Authorization headers that came, in order. */
  List<String> authorizations() {
    return authorizations;
  }

  private void handle(HttpExchange exchange) throws IOException {
    requests.add(exchange.getRequestURI().toString());
    List<String> sent = exchange.getRequestHeaders().get("Authorization");
    if (sent != null) {
      authorizations.addAll(sent);
    }
    Answer answer = answers.size() > 1 ? answers.remove() : answers.element();
    try (exchange) {
      answer.write(exchange);
    }
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
