package io.tidemark.connect.pipeline;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.tidemark.registry.RegisteredSchema;
import io.tidemark.registry.RegistryException;
import io.tidemark.registry.SchemaId;
import io.tidemark.registry.SchemaRegistry;
import io.tidemark.registry.config.RegistryConfig;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * A registry over real HTTP, with the real client and its cache, that answers some ids late or with
 * an error. Safe for use by many threads.
 */
final class HostileRegistry implements SchemaRegistry {
  private static final String IDS = "/schemas/ids/";
  private static final ObjectMapper JSON = new ObjectMapper();

  private final HttpServer server;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final Map<Integer, String> schemas;
  private final Map<Integer, Poison.Answer> answers;
  private final SchemaRegistry client;

  HostileRegistry(Map<Integer, String> schemas, Map<Integer, Poison.Answer> answers)
      throws IOException {
    this.schemas = schemas;
    this.answers = answers;
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.createContext("/", this::answer);
    server.start();
    client =
        RegistryConfig.parse(
                Map.of(
                    "schema.registry.url",
                    "http://localhost:" + server.getAddress().getPort(),
                    "schema.registry.request.timeout.ms",
                    "5000",
                    "schema.registry.total.timeout.ms",
                    "5000"))
            .open();
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      String path = exchange.getRequestURI().getPath();
      int id = path.startsWith(IDS) ? Integer.parseInt(path.substring(IDS.length())) : Poison.GUIDS;
      Poison.Answer answer = answers.getOrDefault(id, new Poison.Answer(200, 0));
      Thread.sleep(answer.afterMs());
      String schema = schemas.get(id);
      int status = answer.status() != 200 ? answer.status() : schema == null ? 404 : 200;
      String text =
          status == 200
              ? "{\"schema\":" + JSON.writeValueAsString(schema) + "}"
              : "{\"error_code\":%d,\"message\":\"no\"}".formatted(status == 404 ? 40403 : status);
      byte[] body = text.getBytes(UTF_8);
      exchange.getResponseHeaders().set("Content-Type", "application/vnd.schemaregistry.v1+json");
      exchange.sendResponseHeaders(status, body.length);
      exchange.getResponseBody().write(body);
    } catch (InterruptedException e) {
      // The registry is closed: it answers nobody any more.
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public RegisteredSchema schema(SchemaId id) throws RegistryException, InterruptedException {
    return client.schema(id);
  }

  @Override
  public String location() {
    return client.location();
  }

  @Override
  public void close() {
    client.close();
    server.stop(0);
    threads.shutdownNow();
  }
}
