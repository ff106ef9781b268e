package io.tidemark.connect.health;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.tidemark.registry.SchemaId;
import io.tidemark.registry.SchemaRegistry;
import io.tidemark.registry.config.RegistryConfig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Failures of the registry's real client, with the answers of a scripted server. */
@Timeout(300)
final class RegistryFailuresTest {
  private static final String JSON = "application/vnd.schemaregistry.v1+json";
  private static final String NO_REFUSAL = "-";

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          401 | {"error_code":401,"message":"Unauthorized"}                  | LOGIN   | credentials
          403 | {"error_code":40301,"message":"User is denied Read"}         | ACCESS  | Allow this user to read schemas
          403 | <html>forbidden</html>                                       | ACCESS  | Allow this user to read schemas
          404 | {"error_code":40403,"message":"Schema 1 not found"}          | OTHER   | Do what its message says
          404 | <html>no such page</html>                                    | ADDRESS | Correct schema.registry.url
          409 | {"error_code":409,"message":"incompatible"}                  | OTHER   | Do what its message says
          422 | {"error_code":42201,"message":"invalid"}                     | OTHER   | Do what its message says
          429 | {"error_code":42901,"message":"slow down"}                   | -       | limits the number of requests
          500 | {"error_code":50001,"message":"Error in the backend"}        | -       | its own Kafka topic or database
          502 | <html>bad gateway</html>                                     | -       | a proxy cannot reach it
          302 | <html>login</html>                                           | ADDRESS | redirects to another
          200 | <html>welcome</html>                                         | ADDRESS | another server answers
          200 | {"schema":"{"}                                               | OTHER   | Do what its message says
          """)
  void answerHasItsCauseAndCure(int status, String body, String refusal, String cure)
      throws IOException {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", exchange -> answer(exchange, status, body));
    server.start();
    try {
      assertFails("http://localhost:" + server.getAddress().getPort(), refusal, cure);
    } finally {
      server.stop(0);
    }
  }

  private static void answer(HttpExchange exchange, int status, String body) throws IOException {
    try (exchange) {
      byte[] bytes = body.getBytes(UTF_8);
      exchange.getResponseHeaders().set("Content-Type", body.startsWith("{") ? JSON : "text/html");
      if (status == 302) {
        exchange.getResponseHeaders().set("Location", "http://login.example.com/");
      }
      exchange.sendResponseHeaders(status, bytes.length);
      exchange.getResponseBody().write(bytes);
    }
  }

  @Test
  void serverWithoutTlsIsNamed() throws IOException {
    try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      Thread answering =
          new Thread(
              () -> {
                while (!server.isClosed()) {
                  answerWithoutTls(server);
                }
              });
      answering.setDaemon(true);
      answering.start();
      String url = "https://localhost:" + server.getLocalPort();
      for (int tries = 1; ; tries++) {
        Throwable failure = failure(url, "3000");
        assertThat(failure).hasMessageContaining("does not speak TLS");
        KnownFailure known = KnownFailure.of(Service.SCHEMA_REGISTRY, failure);
        if (known.refusal().isPresent()) {
          assertThat(known.refusal()).contains(Refusal.LOGIN);
          assertThat(known.cure()).contains("schema.registry.ssl.*");
          return;
        }
        // Java's client sometimes misses such an answer, and waits for its handshake's end.
        assertThat(known.cure()).contains("does not speak TLS");
        assertThat(tries).isLessThan(10);
      }
    }
  }

  @Test
  void serverThatDoesNotAnswerTheHandshakeMayHaveNoTls() throws IOException {
    try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      Throwable failure = failure("https://localhost:" + server.getLocalPort(), "500");
      assertThat(failure).hasMessageContaining("does not speak TLS");
      assertThat(KnownFailure.of(Service.SCHEMA_REGISTRY, failure).cure())
          .contains("does not speak TLS");
    }
  }

  private static void answerWithoutTls(ServerSocket server) {
    try (Socket client = server.accept()) {
      client.getInputStream().read(new byte[8192]); // unread bytes would reset the connection
      client.getOutputStream().write("HTTP/1.1 400 Bad Request\r\n\r\n".getBytes(UTF_8));
    } catch (IOException e) {
      if (!server.isClosed()) {
        throw new UncheckedIOException(e);
      }
    }
  }

  @Test
  void silentServerClosedPortAndUnknownHostAreNamed() throws IOException {
    int port;
    try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      port = silent.getLocalPort();
      assertFails(
          "http://localhost:" + port, NO_REFUSAL, "See the registry's log and its load", "1000");
    }
    assertFails("http://localhost:" + port, NO_REFUSAL, "schema.registry.url is correct");
    assertFails("http://no-such-host.invalid:1", "ADDRESS", "Correct the host");
  }

  private static void assertFails(String url, String refusal, String cure) {
    assertFails(url, refusal, cure, "60000");
  }

  private static void assertFails(String url, String refusal, String cure, String timeoutMs) {
    Throwable failure = failure(url, timeoutMs);
    KnownFailure known = KnownFailure.of(Service.SCHEMA_REGISTRY, failure);
    assertThat(known.cure()).as(failure.toString()).contains(cure);
    assertThat(known.refusal().map(Refusal::name).orElse(NO_REFUSAL))
        .as(failure.toString())
        .isEqualTo(refusal);
  }

  private static Throwable failure(String url, String timeoutMs) {
    Map<String, String> settings =
        Map.of(
            "schema.registry.url", url,
            "schema.registry.http.connect.timeout.ms", timeoutMs,
            "schema.registry.request.timeout.ms", timeoutMs,
            "schema.registry.total.timeout.ms", timeoutMs,
            "max.retries", "0");
    try (SchemaRegistry registry = RegistryConfig.parse(new HashMap<>(settings)).open()) {
      Throwable failure = catchThrowable(() -> registry.schema(SchemaId.of(1)));
      assertThat(failure).isNotNull();
      return failure;
    }
  }
}
