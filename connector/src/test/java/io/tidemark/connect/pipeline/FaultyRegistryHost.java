package io.tidemark.connect.pipeline;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A registry over real HTTP that has one schema for every id, and has a fault until it is healed.
 * It requires a token of its own token endpoint. Safe for use by many threads.
 */
final class FaultyRegistryHost implements AutoCloseable {
  /** The API that it has. */
  enum Api {
    CONFLUENT("application/vnd.schemaregistry.v1+json") {
      @Override
      String schema(String schema) {
        return "{\"schema\":\"" + schema.replace("\"", "\\\"") + "\"}";
      }

      @Override
      String error(int status) {
        return "{\"error_code\":" + status + "01,\"message\":\"not now\"}";
      }

      @Override
      String notAvro() {
        return "{\"schemaType\":\"PROTOBUF\",\"schema\":\"message M {}\"}";
      }
    },
    AVRO_1124("text/plain") {
      @Override
      String schema(String schema) {
        return schema;
      }

      @Override
      String error(int status) {
        return "ERROR: not now";
      }

      @Override
      String notAvro() {
        return "message M {}";
      }
    };

    private final String mediaType;

    Api(String mediaType) {
      this.mediaType = mediaType;
    }

    /** The name of the API in {@code schema.registry.api}. */
    String configured() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    abstract String schema(String schema);

    abstract String error(int status);

    abstract String notAvro();
  }

  /** The fault. */
  enum Fault {
    SLOW,
    PAUSED,
    TOO_MANY_REQUESTS,
    SERVER_ERROR,
    HTML,
    HALF_A_BODY,
    GIGABYTE,
    WRONG_TYPE,
    WRONG_PATH,
    ROTATED_TOKEN,
    NO_AVRO_SCHEMA
  }

  /** Longer than the time for which the tests' clients wait for an answer. */
  private static final long SLOW_MS = 2_000;

  private final HttpServer server;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final Api api;
  private final String schema;
  private final Fault fault;
  private final CountDownLatch healed = new CountDownLatch(1);
  private final AtomicInteger faults = new AtomicInteger();
  private volatile boolean faulty;

  /**
   * Starts without the fault.
   *
   * @param schema the text of the schema, for every id
   */
  FaultyRegistryHost(Api api, String schema, Fault fault) throws IOException {
    this.api = api;
    this.schema = schema;
    this.fault = fault;
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.createContext("/", this::schema);
    server.createContext("/token", this::token);
    server.start();
  }

  String url() {
    return "http://localhost:" + server.getAddress().getPort();
  }

  String tokenUrl() {
    return url() + "/token";
  }

  /** From now on requests for schemas fail. */
  void fail() {
    faulty = true;
  }

  void heal() {
    faulty = false;
    healed.countDown();
  }

  /** The number of requests for schemas that failed. */
  int faults() {
    return faults.get();
  }

  private void token(HttpExchange exchange) throws IOException {
    try (exchange) {
      // The registry refuses a rotated token before the endpoint returns the next one.
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
        answer(exchange, 200, api.schema(schema));
      }
    } catch (InterruptedException e) {
      // The host is closed: it answers nobody any more.
      Thread.currentThread().interrupt();
    }
  }

  private void answerWrongly(HttpExchange exchange) throws IOException, InterruptedException {
    switch (fault) {
      case SLOW -> {
        healed.await(SLOW_MS, TimeUnit.MILLISECONDS);
        answer(exchange, 200, api.schema(schema));
      }
      case PAUSED -> healed.await();
      case TOO_MANY_REQUESTS -> {
        exchange.getResponseHeaders().set("Retry-After", "1");
        answer(exchange, 429, api.error(429));
      }
      case SERVER_ERROR -> answer(exchange, 500, api.error(500));
      case HTML -> answer(exchange, 200, "text/html", "<html><body>Sign in</body></html>");
      case HALF_A_BODY -> {
        byte[] whole = api.schema(schema).getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", api.mediaType);
        exchange.sendResponseHeaders(200, whole.length);
        exchange.getResponseBody().write(whole, 0, whole.length / 2);
        exchange.getResponseBody().flush();
      }
      case GIGABYTE -> {
        exchange.getResponseHeaders().set("Content-Type", api.mediaType);
        exchange.sendResponseHeaders(200, 1L << 30);
        byte[] part = new byte[1 << 16];
        for (long sent = 0; sent < 1L << 30; sent += part.length) {
          exchange.getResponseBody().write(part);
        }
      }
      case WRONG_TYPE -> answer(exchange, 200, "application/octet-stream", "\u0000\u0001\u0002");
      case WRONG_PATH -> answer(exchange, 404, "text/html", "<html>Not Found</html>");
      case ROTATED_TOKEN -> answer(exchange, 401, api.error(401));
      case NO_AVRO_SCHEMA -> answer(exchange, 200, api.notAvro());
    }
  }

  private void answer(HttpExchange exchange, int status, String body) throws IOException {
    answer(exchange, status, api.mediaType, body);
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
