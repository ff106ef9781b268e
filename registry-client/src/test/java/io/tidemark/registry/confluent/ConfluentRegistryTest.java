package io.tidemark.registry.confluent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.tidemark.registry.RegistryRefusedException;
import io.tidemark.registry.RegistryUnavailableException;
import io.tidemark.registry.SchemaId;
import io.tidemark.registry.SchemaNotFoundException;
import io.tidemark.registry.ScriptedHost;
import io.tidemark.registry.http.HttpSettings;
import io.tidemark.registry.security.BasicCredentials;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.Base64;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.apache.avro.Schema;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Cases that a real registry does not show on request, over real HTTP. */
@Timeout(20)
final class ConfluentRegistryTest {
  private static final SchemaId ID = SchemaId.of(7);
  private static final String FOUND = "{\"schema\": \"\\\"long\\\"\"}";

  private final ScriptedHost host = new ScriptedHost();

  @AfterEach
  void stop() {
    host.close();
  }

  @Test
  void schemaIsReadById() throws Exception {
    host.thenJson(200, FOUND);
    try (ConfluentRegistry registry = registry(quick(host.url() + "/apis/ccompat/v7"))) {
      assertThat(registry.schema(ID).schema()).isEqualTo(Schema.create(Schema.Type.LONG));
      assertThat(registry.schema(ID).id()).isEqualTo(ID);
    }
    assertThat(host.requests()).containsOnly("/apis/ccompat/v7/schemas/ids/7");
    assertThat(host.authorizations()).isEmpty();
  }

  @Test
  void unknownIdIsTheRecordsFaultAndAskedOnce() {
    host.thenJson(404, "{\"error_code\": 40403, \"message\": \"Schema 7 not found\"}");
    SchemaNotFoundException answer =
        catchThrowableOfType(SchemaNotFoundException.class, () -> ask(quick(host.url())));
    assertThat(answer)
        .hasMessage(
            "schema id 7 is unknown to "
                + host.url()
                + ". The producer used another registry, or the bytes carry no schema id. Check"
                + " schema.registry.url, or skip such records.");
    assertThat(answer.id()).isEqualTo(ID);
    assertThat(answer.location()).isEqualTo(host.url());
    assertThat(host.requests()).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "text/html|<html><title>Not Found</title></html>",
        "application/json|{\"error_code\": 404, \"message\": \"HTTP 404 Not Found\"}",
        "application/json|{\"message\": \"no such route\"}",
        "application/json|[]",
        "text/plain|''"
      })
  void bare404IsAWrongAddressAndNoUnknownId(String contentType, String body) {
    host.then(404, contentType, body);
    assertUnavailable(quick(host.url()))
        .hasMessageStartingWith(
            host.url()
                + "/schemas/ids/7 returned HTTP 404 without a registry's error code. The path of")
        .hasMessageContaining("Check schema.registry.url.");
    assertThat(host.requests()).hasSize(1);
  }

  @Test
  void htmlIsNoRegistry() {
    host.then(200, "text/html; charset=utf-8", "<html>Sign in</html>");
    assertUnavailable(quick(host.url()))
        .hasMessageContaining("returned HTTP 200, but not a schema (text/html;")
        .hasMessageContaining(
            "Another service or a proxy responds there. Check schema.registry.url");
    assertThat(host.requests()).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "{\"schema\": 7}",
        "{\"schema\": {\"type\": \"long\"}}",
        "[]",
        "null",
        "\"long\"",
        "{\"schema\": \"x\", \"references\": [{\"subject\": \"a\"}]}",
        "{\"schema\": \"x\", \"references\": [{\"subject\": \"a\", \"version\": 99999999999}]}"
      })
  void otherJsonIsNoRegistry(String body) {
    host.thenJson(200, body);
    assertUnavailable(quick(host.url()))
        .hasMessageContaining("returned HTTP 200, but not a schema (application/");
  }

  @ParameterizedTest
  @ValueSource(strings = {"{\"schema\": \"\\\"lo", FOUND + " trailing", ""})
  void damagedJsonIsNoRegistry(String body) {
    host.thenJson(200, body);
    assertUnavailable(quick(host.url()))
        .hasMessageContaining("returned HTTP 200, but not a schema");
  }

  @Test
  void schemaOfAnotherTypeSaysSo() {
    host.thenJson(200, "{\"schemaType\": \"PROTOBUF\", \"schema\": \"syntax = \\\"proto3\\\";\"}");
    assertThatThrownBy(() -> ask(quick(host.url())))
        .isInstanceOf(SchemaNotFoundException.class)
        .hasMessageStartingWith(
            "schema id 7 of " + host.url() + " is of type PROTOBUF, not AVRO. The producer");
  }

  @ParameterizedTest
  @ValueSource(ints = {408, 429, 500, 502, 503, 504})
  void passingAnswerIsRetried(int status) throws Exception {
    host.thenJson(status, "{\"error_code\": 50002, \"message\": \"later\"}").thenJson(200, FOUND);
    assertThat(ask(quick(host.url()))).isEqualTo(Schema.create(Schema.Type.LONG));
    assertThat(host.requests()).hasSize(2);
  }

  @ParameterizedTest
  @CsvSource({"422, 42201", "422, 50001", "400, 400"})
  void questionThatIsTakenAsMalformedIsRefusedAndNotRetried(int status, int code) {
    host.thenJson(status, "{\"error_code\": " + code + ", \"message\": \"Invalid\\nid\"}");
    assertThatThrownBy(() -> ask(quick(host.url())))
        .isInstanceOf(RegistryRefusedException.class)
        .hasMessageContaining(
            "rejected the request with code " + code + " (Invalid id). The request, its schema");
    assertThat(host.requests()).containsExactly("/schemas/ids/7", "/schemas/ids/1");
  }

  /** The bytes of a datum without an id may look like one, for example a negative one. */
  @ParameterizedTest
  @CsvSource({"422, 42201, 200", "422, 42201, 404", "400, 400, 200"})
  void idThatAloneIsTakenAsMalformedIsTheRecordsFault(int status, int code, int other) {
    host.thenJson(status, "{\"error_code\": " + code + ", \"message\": \"Invalid id\"}")
        .thenJson(other, other == 200 ? FOUND : "{\"error_code\": 40403, \"message\": \"\"}");
    assertThatThrownBy(() -> registry(quick(host.url())).schema(SchemaId.of(-7)))
        .isInstanceOf(SchemaNotFoundException.class)
        .hasMessageStartingWith(
            "schema id -7 is rejected as malformed by "
                + host.url()
                + ", which accepts other ids (code "
                + code
                + "). ")
        .hasMessageEndingWith("or skip such records.");
    assertThat(host.requests()).containsExactly("/schemas/ids/-7", "/schemas/ids/1");
  }

  @Test
  void schemaOfMoreThanTwentyMillionCharactersIsRead() throws Exception {
    // Each text in it is shorter, because Avro's parser has the same limit.
    String schema =
        "{'type':'record','name':'R','fields':[],'note':'%s','doc':'%s'}"
            .formatted("y".repeat(10_000_000), "x".repeat(10_000_001));
    host.thenJson(200, "{\"schema\": \"" + schema.replace("'", "\\\"") + "\"}");
    assertThat(ask(quick(host.url()).maxAnswerBytes(64 << 20).maxSchemaBytes(64 << 20)).getDoc())
        .hasSize(10_000_001);
  }

  @Test
  void closingEndsACallUnderWay() throws Exception {
    CountDownLatch arrived = new CountDownLatch(1);
    CountDownLatch released = new CountDownLatch(1);
    host.then(
        exchange -> {
          arrived.countDown();
          awaitQuietly(released);
        });
    ConfluentRegistry registry = registry(HttpSettings.builder(host.url()));
    FutureTask<Object> lookup = new FutureTask<>(() -> registry.schema(ID));
    new Thread(lookup).start();
    arrived.await();
    registry.close();
    assertThatThrownBy(() -> lookup.get(5, TimeUnit.SECONDS))
        .hasCauseInstanceOf(RegistryUnavailableException.class)
        .hasMessageContaining("was closed while it waited for a response");
    released.countDown();
  }

  @Test
  void retryAfterIsKept() throws Exception {
    host.thenJson(429, "{}", "Retry-After", "1").thenJson(200, FOUND);
    long start = System.nanoTime();
    assertThat(ask(quick(host.url()))).isNotNull();
    assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(TimeUnit.SECONDS.toNanos(1));
  }

  @Test
  void retryAfterBeyondTheTotalTimeEndsTheLookup() {
    host.thenJson(429, "{}", "Retry-After", "3600");
    assertUnavailable(quick(host.url()))
        .hasMessageContaining("returned HTTP 429")
        .hasMessageContaining("once");
  }

  @ParameterizedTest
  @ValueSource(ints = {401, 403})
  void refusedCredentialsAreNamedByTheirUserAlone(int status) {
    host.thenJson(status, "{\"message\": \"wrong password hushhush\"}");
    assertUnavailable(quick(host.url()).credentials(new BasicCredentials("ann", "hushhush")))
        .hasMessageContaining(
            "returned HTTP " + status + " and rejects the credentials of user ann.")
        .hasMessageContaining("basic.auth.user.info")
        .message()
        .doesNotContain("hushhush");
    assertThat(host.requests()).hasSize(1);
  }

  @Test
  void missingCredentialsAreNamedSo() {
    host.thenJson(401, "{}");
    assertUnavailable(quick(host.url())).hasMessageContaining("a request without credentials");
  }

  @Test
  void credentialsAreSentFromTheUrl() throws Exception {
    host.thenJson(200, FOUND);
    ask(quick(host.url().replace("http://", "http://ann:p%C3%A4ss@")));
    assertThat(host.authorizations())
        .containsExactly(
            "Basic "
                + Base64.getEncoder().encodeToString("ann:päss".getBytes(StandardCharsets.UTF_8)));
  }

  @Test
  void echoedSecretsAreHidden() {
    String token =
        Base64.getEncoder().encodeToString("ann:hushhush".getBytes(StandardCharsets.UTF_8));
    host.thenJson(500, "{\"message\": \"failed on Basic " + token + " of ann:hushhush\"}");
    assertUnavailable(quick(host.url()).credentials(new BasicCredentials("ann", "hushhush")))
        .hasMessageContaining("(failed on Basic [hidden] of ann:[hidden])");
  }

  @Test
  void redirectIsNotFollowed() {
    try (ScriptedHost other = new ScriptedHost()) {
      host.then(302, "text/html", "", "Location", other.url() + "/login?token=hushhush");
      other.thenJson(200, FOUND);
      assertUnavailable(quick(host.url()))
          .hasMessageContaining("returned HTTP 302, a redirect to host localhost. Redirects are")
          .message()
          .doesNotContain("hushhush");
      assertThat(other.requests()).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {200, 302, 400, 404, 409, 422, 500})
  void nothingIsQuotedWithoutQuotes(int status) {
    String location = "http://hushhush.example/";
    host.then(status, "hushhush/html", "{\"message\": \"hushhush\"}", "Location", location);
    HttpSettings settings = quick(host.url()).build().withoutQuotes();
    assertThatThrownBy(
            () -> {
              try (ConfluentRegistry registry = new ConfluentRegistry(settings)) {
                registry.schema(ID);
              }
            })
        .hasMessageContaining(String.valueOf(status))
        .message()
        .doesNotContain("hushhush");
  }

  @Test
  void gigabyteIsGivenUpAtTheLimit() throws Exception {
    CountDownLatch cut = new CountDownLatch(1);
    host.then(
        exchange -> {
          exchange.sendResponseHeaders(200, 1L << 30);
          byte[] part = new byte[64 * 1024];
          try (OutputStream body = exchange.getResponseBody()) {
            for (int i = 0; i < 16_384; i++) {
              body.write(part);
            }
          } catch (IOException e) {
            cut.countDown();
            throw e;
          }
        });
    assertUnavailable(quick(host.url()).maxAnswerBytes(100_000))
        .hasMessageContaining("returned more than 100000 bytes");
    assertThat(cut.await(5, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void answerOfExactlyTheLimitIsRead() throws Exception {
    host.thenJson(200, FOUND);
    assertThat(ask(quick(host.url()).maxAnswerBytes(FOUND.length()))).isNotNull();
  }

  @Test
  void halfABodyIsRetried() throws Exception {
    host.then(
            exchange -> {
              exchange.sendResponseHeaders(200, FOUND.length());
              exchange.getResponseBody().write(FOUND.substring(9).getBytes(StandardCharsets.UTF_8));
              exchange.getResponseBody().flush();
            })
        .thenJson(200, FOUND);
    assertThat(ask(quick(host.url()))).isEqualTo(Schema.create(Schema.Type.LONG));
    assertThat(host.requests()).hasSize(2);
  }

  @Test
  void tricklingBodyIsGivenUpInTimeAndItsConnectionCut() throws Exception {
    CountDownLatch never = new CountDownLatch(1);
    CountDownLatch cut = new CountDownLatch(1);
    host.then(
        exchange -> {
          exchange.sendResponseHeaders(200, 0);
          OutputStream body = exchange.getResponseBody();
          try {
            do {
              body.write(' ');
              body.flush();
            } while (!never.await(10, TimeUnit.MILLISECONDS));
          } catch (IOException e) {
            cut.countDown();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        });
    assertUnavailable(quick(host.url()).requestTimeoutMs(200).rounds(1))
        .hasMessageContaining("did not respond within 200 ms");
    assertThat(cut.await(5, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void interruptedLookupStopsWaiting() throws Exception {
    CountDownLatch arrived = new CountDownLatch(1);
    CountDownLatch released = new CountDownLatch(1);
    host.then(
        exchange -> {
          arrived.countDown();
          awaitQuietly(released);
        });
    FutureTask<Schema> lookup = new FutureTask<>(() -> ask(quick(host.url())));
    Thread thread = new Thread(lookup);
    thread.start();
    arrived.await();
    thread.interrupt();
    assertThatThrownBy(lookup::get).hasCauseInstanceOf(InterruptedException.class);
    released.countDown();
  }

  @Test
  void nextUrlAnswersForOneThatIsDown() throws Exception {
    host.thenJson(200, FOUND);
    assertThat(ask(quick("http://localhost:" + freePort() + "," + host.url()))).isNotNull();
    assertThat(host.requests()).hasSize(1);
  }

  @Test
  void hostThatIsDownIsUnavailable() throws Exception {
    int port = freePort();
    assertUnavailable(quick("http://localhost:" + port).rounds(2))
        .hasMessageStartingWith(
            "http://localhost:"
                + port
                + "/schemas/ids/7 cannot be reached: nothing accepts connections there. The"
                + " registry is down, or the address is wrong. Check schema.registry.url. Tried 2"
                + " times in ");
  }

  @Test
  void unknownHostIsNamedSo() {
    assertUnavailable(quick("http://registry.invalid:8081").rounds(1))
        .hasMessageContaining("its host name is unknown here");
  }

  @Test
  void certificateThatNobodyTrustsIsATlsFailure(@TempDir Path directory) throws Exception {
    HttpsServer server =
        HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setHttpsConfigurator(new HttpsConfigurator(selfSigned(directory.resolve("keys.p12"))));
    server.start();
    try {
      assertUnavailable(quick("https://localhost:" + server.getAddress().getPort()))
          .hasMessageContaining("cannot be reached over TLS: ")
          .hasMessageContaining("Its certificate is not trusted by this JVM")
          .hasMessageContaining("Tried once");
    } finally {
      server.stop(0);
    }
  }

  @Test
  void closedClientRefusesToAsk() {
    ConfluentRegistry registry = registry(quick(host.url()));
    registry.close();
    registry.close();
    assertThatThrownBy(() -> registry.schema(ID)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void closingEndsAWaitBetweenRounds() throws Exception {
    host.thenJson(503, "{}", "Retry-After", "10");
    ConfluentRegistry registry = registry(HttpSettings.builder(host.url()).totalTimeoutMs(60_000));
    FutureTask<Object> lookup = new FutureTask<>(() -> registry.schema(ID));
    Thread thread = new Thread(lookup);
    thread.start();
    while (thread.getState() != Thread.State.TIMED_WAITING || host.requests().isEmpty()) {
      Thread.onSpinWait();
    }
    registry.close();
    assertThatThrownBy(() -> lookup.get(5, TimeUnit.SECONDS))
        .hasCauseInstanceOf(RegistryUnavailableException.class);
  }

  private static AbstractThrowableAssert<?, ? extends Throwable> assertUnavailable(
      HttpSettings.Builder settings) {
    return assertThatThrownBy(() -> ask(settings)).isInstanceOf(RegistryUnavailableException.class);
  }

  private static Schema ask(HttpSettings.Builder settings) throws Exception {
    try (ConfluentRegistry registry = registry(settings)) {
      return registry.schema(ID).schema();
    }
  }

  private static ConfluentRegistry registry(HttpSettings.Builder settings) {
    return new ConfluentRegistry(settings.build());
  }

  private static HttpSettings.Builder quick(String urls) {
    return HttpSettings.builder(urls).backoffMs(1).maxBackoffMs(5).totalTimeoutMs(10_000);
  }

  private static void awaitQuietly(CountDownLatch latch) throws IOException {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("the host was stopped", e);
    }
  }

  private static SSLContext selfSigned(Path keys) throws Exception {
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-keystore",
                keys.toString(),
                "-storepass",
                "changeit",
                "-alias",
                "registry",
                "-keyalg",
                "EC",
                "-dname",
                "CN=localhost")
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    assertThat(keytool.waitFor()).isZero();
    KeyStore store = KeyStore.getInstance(keys.toFile(), "changeit".toCharArray());
    KeyManagerFactory factory =
        KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    factory.init(store, "changeit".toCharArray());
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(factory.getKeyManagers(), null, null);
    return context;
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }
}
