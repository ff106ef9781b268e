package io.tidemark.registry;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** A relay before a server. It forwards GET requests and counts them. */
final class CountingRelay implements AutoCloseable {
  private final String target;
  private final HttpServer server;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final HttpClient client = HttpClient.newHttpClient();
  private final AtomicInteger requests = new AtomicInteger();

  CountingRelay(String target) throws IOException {
    this.target = target;
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.createContext("/", this::relay);
    server.start();
  }

  String url() {
    return "http://localhost:" + server.getAddress().getPort();
  }

  int requests() {
    return requests.get();
  }

  private void relay(HttpExchange exchange) throws IOException {
    requests.incrementAndGet();
    try (exchange) {
      HttpResponse<byte[]> response =
          client.send(
              HttpRequest.newBuilder(URI.create(target + exchange.getRequestURI())).build(),
              HttpResponse.BodyHandlers.ofByteArray());
      exchange.sendResponseHeaders(response.statusCode(), response.body().length);
      exchange.getResponseBody().write(response.body());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("the relay was stopped", e);
    }
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
