package io.tidemark.connect.pipeline;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A registry of Confluent's API that speaks real HTTP, knows one schema by every id, and has a
 * fault until it is healed. It wants a token of its own token endpoint. Safe for use by many
 * threads.
 */
final class FaultyRegistryHost implements AutoCloseable {
  /** What is wrong with it. */
  enum Fault {
    SLOW,
    PAUSED,
    TOO_MANY_REQUESTS,
    SERVER_ERROR,
    HTML,
    HALF_A_BODY,
    WRONG_TYPE,
    ROTATED_TOKEN,
    PROTOBUF_SCHEMA
  }

  private static final String JSON = "application/vnd.schemaregistry.v1+json";

  /** More than the clients of the tests wait for an answer. */
  private static final long SLOW_MS = 2_000;

  private final HttpServer server;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final String schema;
  private final Fault fault;
  private final CountDownLatch healed = new CountDownLatch(1);
  private final AtomicInteger faults = new AtomicInteger();
  private volatile boolean faulty;

  /**
   * Starts without the fault.
   *
   * @param schema its text, for every id
   */
  FaultyRegistryHost(String schema, Fault fault) throws IOException {
    this.schema = schema;
    this.fault = fault;
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.createContext("/schemas/ids/", this::schema);
    server.createContext("/token", this::token);
    server.start();
  }

  String url() {
    return "http://localhost:" + server.getAddress().getPort();
  }

  String tokenUrl() {
    return url() + "/token";
  }

  /** From now on, schemas are asked for in vain. */
  void fail() {
    faulty = true;
  }

  void heal() {
    faulty = false;
    healed.countDown();
  }

  /** How often a schema was asked for in vain. */
  int faults() {
    return faults.get();
  }

  private void token(HttpExchange exchange) throws IOException {
    try (exchange) {
      // A rotated token is refused by the registry before the endpoint gives out the next.
      String token = fault == Fault.ROTATED_TOKEN && healed.getCount() == 0 ? "second" : "first";
      answer(
          exchange,
          200,
          "application/json",
          "{\"access_token\":\"" + token + "\",\"token_type\":\"Bearer\",\"expires_in\":3600}");
    }
  }

  private void schema(HttpExchange exchange) throws IOException {
    try (exchange) {
      if (faulty) {
        faults.incrementAndGet();
        answerWrongly(exchange);
      } else {
        answer(exchange, 200, JSON, document());
      }
    } catch (InterruptedException e) {
      // The host is closed: nobody is answered any more.
      Thread.currentThread().interrupt();
    }
  }

  private void answerWrongly(HttpExchange exchange) throws IOException, InterruptedException {
    switch (fault) {
      case SLOW -> {
        healed.await(SLOW_MS, TimeUnit.MILLISECONDS);
        answer(exchange, 200, JSON, document());
      }
      case PAUSED -> healed.await();
      case TOO_MANY_REQUESTS -> {
        exchange.getResponseHeaders().set("Retry-After", "1");
        answer(exchange, 429, JSON, "{\"error_code\":42901,\"message\":\"too many requests\"}");
      }
      case SERVER_ERROR ->
          answer(exchange, 500, JSON, "{\"error_code\":50001,\"message\":\"store failed\"}");
      case HTML -> answer(exchange, 200, "text/html", "<html><body>Sign in</body></html>");
      case HALF_A_BODY -> {
        byte[] whole = document().getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", JSON);
        exchange.sendResponseHeaders(200, whole.length);
        exchange.getResponseBody().write(whole, 0, whole.length / 2);
        exchange.getResponseBody().flush();
      }
      case WRONG_TYPE -> answer(exchange, 200, "application/octet-stream", "\u0000\u0001\u0002");
      case ROTATED_TOKEN ->
          answer(exchange, 401, JSON, "{\"error_code\":40101,\"message\":\"Unauthorized\"}");
      case PROTOBUF_SCHEMA ->
          answer(exchange, 200, JSON, "{\"schemaType\":\"PROTOBUF\",\"schema\":\"message M {}\"}");
    }
  }

  private String document() {
    return "{\"schema\":\"" + schema.replace("\"", "\\\"") + "\"}";
  }

  private static void answer(HttpExchange exchange, int status, String type, String body)
      throws IOException {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", type);
    exchange.sendResponseHeaders(status, bytes.length);
    exchange.getResponseBody().write(bytes);
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
