package io.tidemark.benchmarks.registry;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The server of the lookups: the JDK's HTTP server, which answers from memory by Confluent's API
 * and by AVRO-1124's, and counts the requests. It has a schema for every id. Registered schemas get
 * ids of a million and above.
 *
 * <pre>
 *   GET  /schemas/ids/17                          {"schema": "{\"type\":\"record\", ...}"}
 *   POST /subjects/quotes-value/versions          {"id": 1000000}
 *   GET  /schema-repo/quotes                      quotes
 *   GET  /schema-repo/quotes/id/17                {"type":"record", ...}
 *   PUT  /schema-repo/quotes/register             1000000
 *   GET  /requests                                the number of other requests
 * </pre>
 */
public final class RegistryHost implements AutoCloseable {
  /** The base path of the API of AVRO-1124. */
  public static final String SCHEMA_REPO = "/schema-repo";

  /** The only subject. */
  public static final String SUBJECT = "quotes";

  private static final int FIRST_REGISTERED = 1_000_000;

  private static final String BY_ID = "/schemas/ids/";
  private static final String BY_SUBJECT = SCHEMA_REPO + '/' + SUBJECT;

  /**
   * The backlog of connections, for all concurrent requests: none should wait for its connection.
   */
  private static final int BACKLOG = 2_000;

  private final HttpServer server;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final AtomicLong requests = new AtomicLong();
  private final ObjectMapper json = new ObjectMapper();
  private final List<String> registered = new ArrayList<>();

  /** Starts a registry on a free port. */
  public RegistryHost() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), BACKLOG);
    server.setExecutor(threads);
    server.createContext("/", this::handle);
    server.start();
  }

  /** Serves until its input ends; prints its URL first. */
  public static void main(String[] arguments) throws IOException {
    try (RegistryHost host = new RegistryHost()) {
      System.out.println(host.url());
      while (System.in.read() >= 0) {
        // Wait: the input ends when the parent process ends.
      }
    }
  }

  /** Returns the URL of Confluent's API. */
  public String url() {
    return "http://localhost:" + server.getAddress().getPort();
  }

  long requests() {
    return requests.get();
  }

  /** Returns the text of a schema with ten fields and a different name for each id. */
  public static String schema(int id) {
    var text = new StringBuilder("{\"type\":\"record\",\"name\":\"Quote").append(id);
    text.append("\",\"namespace\":\"io.tidemark.benchmarks\",\"fields\":[");
    for (int field = 0; field < 10; field++) {
      text.append(field == 0 ? "" : ",").append("{\"name\":\"price").append(field);
      text.append("\",\"type\":[\"null\",\"double\"],\"default\":null}");
    }
    return text.append("]}").toString();
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      String path = exchange.getRequestURI().getPath();
      if (path.equals("/requests")) {
        answer(exchange, "text/plain", Long.toString(requests()));
        return;
      }
      requests.incrementAndGet();
      if (path.startsWith(BY_ID)) {
        String schema = known(Integer.parseInt(path.substring(BY_ID.length())));
        answer(
            exchange,
            "application/vnd.schemaregistry.v1+json",
            json.writeValueAsString(Map.of("schema", schema)));
      } else if (path.startsWith(BY_SUBJECT + "/id/")) {
        int id = Integer.parseInt(path.substring(BY_SUBJECT.length() + "/id/".length()));
        answer(exchange, "text/plain", known(id));
      } else if (path.equals(BY_SUBJECT + "/register")) {
        answer(exchange, "text/plain", Integer.toString(register(body(exchange))));
      } else if (path.startsWith("/subjects/") && path.endsWith("/versions")) {
        String schema = json.readTree(body(exchange)).path("schema").asText();
        answer(
            exchange,
            "application/vnd.schemaregistry.v1+json",
            json.writeValueAsString(Map.of("id", register(schema))));
      } else if (path.equals(BY_SUBJECT)) {
        answer(exchange, "text/plain", SUBJECT);
      } else {
        exchange.sendResponseHeaders(404, -1);
      }
    }
  }

  /** Registers a schema and returns its id, which is the same for the same schema. */
  private synchronized int register(String schema) {
    int index = registered.indexOf(schema);
    if (index < 0) {
      index = registered.size();
      registered.add(schema);
    }
    return FIRST_REGISTERED + index;
  }

  private synchronized String known(int id) {
    return id < FIRST_REGISTERED ? schema(id) : registered.get(id - FIRST_REGISTERED);
  }

  private static String body(HttpExchange exchange) throws IOException {
    return new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
  }

  private static void answer(HttpExchange exchange, String type, String body) throws IOException {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", type);
    exchange.sendResponseHeaders(200, bytes.length);
    exchange.getResponseBody().write(bytes);
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
