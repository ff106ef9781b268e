package io.tidemark.registry.confluent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.tidemark.registry.RegistryException;
import io.tidemark.registry.SchemaId;
import io.tidemark.registry.http.HttpSettings;
import io.tidemark.registry.security.BearerToken;
import io.tidemark.registry.security.ClientCredentials;
import io.tidemark.registry.security.Credentials;
import io.tidemark.registry.security.Secret;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Secrets that a server repeats in any part of its answer. They must not appear in errors. */
@Timeout(20)
final class EchoedSecretsTest {
  private static final String SECRET = "hush-hush";
  private static final String PART = "hush";
  private static final String TO_BE_READ = "\r\nContent-Length: 1000\r\nConnection: close\r\n\r\n";

  @ParameterizedTest
  @ValueSource(
      strings = {
        "HTTP/1.1 " + SECRET + "\r\n\r\n",
        "HTTP/1.1 200 OK\r\nX " + SECRET + ": x\r\n\r\n",
        "HTTP/1.1 200 OK\r\nX: \u0001" + SECRET + "\r\n\r\n",
        "HTTP/1.1 302 Found\r\nLocation: http://" + SECRET + ".example/" + TO_BE_READ,
        "HTTP/1.1 200 OK\r\nContent-Type: " + SECRET + TO_BE_READ + "{}",
        "HTTP/1.1 200 OK" + TO_BE_READ + "{\"schema\": \"" + SECRET + "\"}",
        "HTTP/1.1 200 OK" + TO_BE_READ + "{\"schema\": \"{}\", \"schemaType\": \"" + SECRET + "\"}",
        "HTTP/1.1 500 No" + TO_BE_READ + "{\"message\": \"" + SECRET + "\"}",
        "HTTP/1.1 422 No" + TO_BE_READ + "{\"error_code\": 42201, \"message\": \"" + SECRET + "\"}",
      })
  void registryThatSendsTheTokenBackDoesNotHaveItTold(String answer) throws Exception {
    try (var registry = new RawHost(answer)) {
      String told = failure(registry.url(), new BearerToken(new Secret(SECRET)));
      assertThat(told).contains(registry.url()).doesNotContain(PART);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "HTTP/1.1 " + SECRET + "\r\n\r\n",
        "HTTP/1.1 200 OK\r\nX " + SECRET + ": x\r\n\r\n",
        "HTTP/1.1 400 No" + TO_BE_READ + "{\"error\": \"" + SECRET + "\"}",
      })
  void tokenEndpointThatSendsTheClientsSecretBackDoesNotHaveItTold(String answer) throws Exception {
    try (var issuer = new RawHost(answer)) {
      var client =
          new ClientCredentials(URI.create(issuer.url()), "tide", new Secret(SECRET), "", 0);
      String told = failure("http://localhost:1", client);
      assertThat(told).contains("token endpoint " + issuer.url()).doesNotContain(PART);
    }
  }

  /** The failure of a lookup with its causes, as a log shows it. */
  private static String failure(String url, Credentials credentials) {
    try (ConfluentRegistry registry =
        new ConfluentRegistry(
            HttpSettings.builder(url).credentials(credentials).rounds(1).build())) {
      RegistryException failure =
          catchThrowableOfType(RegistryException.class, () -> registry.schema(SchemaId.of(7)));
      var trace = new StringWriter();
      failure.printStackTrace(new PrintWriter(trace));
      return trace.toString();
    }
  }

  /** A host that answers every request with the same text. */
  private static final class RawHost implements AutoCloseable {
    private static final String END_OF_HEAD = "\r\n\r\n";

    // Content-Length: 29
    private static final Pattern BODY_LENGTH = Pattern.compile("(?i)content-length: ([0-9]{1,9})");

    private final ServerSocket server;
    private final byte[] answer;

    RawHost(String answer) throws IOException {
      this.server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
      // The answer is as long as its headers promise: shorter bodies are filled with spaces.
      this.answer = (answer + " ".repeat(1_000)).getBytes(StandardCharsets.UTF_8);
      new Thread(this::serve, "raw-host").start();
    }

    String url() {
      return "http://localhost:" + server.getLocalPort();
    }

    private void serve() {
      try {
        while (true) {
          try (Socket connection = server.accept()) {
            readRequest(connection.getInputStream());
            connection.getOutputStream().write(answer);
          }
        }
      } catch (IOException e) {
        // The host is closed.
      }
    }

    /**
     * Reads the whole request. Unread bytes would close the connection before the answer is read.
     */
    private static void readRequest(InputStream in) throws IOException {
      var head = new StringBuilder();
      while (head.indexOf(END_OF_HEAD) < 0) {
        int next = in.read();
        if (next < 0) {
          throw new EOFException("the request has no end");
        }
        head.append((char) next);
      }
      Matcher length = BODY_LENGTH.matcher(head);
      in.skipNBytes(length.find() ? Long.parseLong(length.group(1)) : 0);
    }

    @Override
    public void close() throws IOException {
      server.close();
    }
  }
}
