package io.tidemark.registry.confluent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import io.tidemark.registry.RegistryException;
import io.tidemark.registry.RegistryUnavailableException;
import io.tidemark.registry.SchemaId;
import io.tidemark.registry.ScriptedHost;
import io.tidemark.registry.http.HttpSettings;
import io.tidemark.registry.security.BearerToken;
import io.tidemark.registry.security.ClientCredentials;
import io.tidemark.registry.security.Credentials;
import io.tidemark.registry.security.Secret;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.FutureTask;
import org.apache.avro.Schema;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tokens, redirects, proxies and headers, over real HTTP. */
@Timeout(30)
final class AuthenticationTest {
  private static final SchemaId ID = SchemaId.of(7);
  private static final String FOUND = "{\"schema\": \"\\\"long\\\"\"}";

  private final ScriptedHost host = new ScriptedHost();
  private final ScriptedHost issuer = new ScriptedHost();

  /** The tokens that the registry accepts. */
  private final Set<String> taken = ConcurrentHashMap.newKeySet();

  @AfterEach
  void stop() {
    host.close();
    issuer.close();
  }

  @Test
  void staticTokenIsSentAndNeverPrinted() throws Exception {
    host.thenJson(200, FOUND).thenJson(401, "{\"message\": \"token hushhush is no good\"}");
    HttpSettings settings = settings(new BearerToken(new Secret("hushhush")));
    ask(settings);
    assertThat(host.authorizations()).containsExactly("Bearer hushhush");
    assertThat(settings.toString()).doesNotContain("hushhush");
    assertThatThrownBy(() -> ask(settings))
        .isInstanceOf(RegistryUnavailableException.class)
        .hasMessageContaining(
            "returned HTTP 401 and rejects a bearer token. The token may have expired")
        .message()
        .doesNotContain("hushhush");
  }

  @Test
  void accessTokenIsGotOnceAndUsedForManyRequests() throws Exception {
    takingTokens();
    issuer.thenJson(200, token("one", 3_600));
    taken.add("one");
    try (ConfluentRegistry registry = registry(settings(client(60_000)))) {
      for (int i = 0; i < 3; i++) {
        assertThat(registry.schema(ID).schema()).isEqualTo(Schema.create(Schema.Type.LONG));
      }
    }
    assertThat(issuer.bodies()).containsExactly("grant_type=client_credentials&scope=read+all");
    assertThat(issuer.headers().get(0).getFirst("Content-Type"))
        .isEqualTo("application/x-www-form-urlencoded");
    assertThat(issuer.authorizations()).containsExactly("Basic dGlkZTpodXNoaHVzaA==");
    assertThat(host.authorizations()).containsOnly("Bearer one").hasSize(3);
  }

  @Test
  void manyThreadsWithoutATokenAskOnce() throws Exception {
    takingTokens();
    taken.add("one");
    issuer.then(
        exchange -> {
          pause(200);
          answer(exchange, 200, token("one", 3_600));
        });
    try (ConfluentRegistry registry = registry(settings(client(60_000)))) {
      List<FutureTask<Object>> lookups = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        FutureTask<Object> lookup = new FutureTask<>(() -> registry.schema(ID));
        new Thread(lookup).start();
        lookups.add(lookup);
      }
      for (FutureTask<Object> lookup : lookups) {
        lookup.get();
      }
    }
    assertThat(issuer.requests()).hasSize(1);
  }

  @Test
  void tokenThatWasRevokedBeforeItsTimeIsReplacedAtOnce() throws Exception {
    takingTokens();
    issuer.thenJson(200, token("one", 3_600)).thenJson(200, token("two", 3_600));
    taken.add("one");
    try (ConfluentRegistry registry = registry(settings(client(60_000)))) {
      registry.schema(ID);
      taken.remove("one");
      taken.add("two");
      registry.schema(ID);
    }
    assertThat(host.authorizations()).containsExactly("Bearer one", "Bearer one", "Bearer two");
    assertThat(issuer.requests()).hasSize(2);
  }

  @Test
  void newTokenThatIsRefusedTooIsAFailureThatLasts() {
    takingTokens();
    issuer.thenJson(200, token("one", 3_600));
    assertThatThrownBy(() -> ask(settings(client(60_000))))
        .isInstanceOf(RegistryUnavailableException.class)
        .hasMessageContaining("returned HTTP 401 and rejects an access token of client tide. Check")
        .hasMessageContaining("Tried once");
    assertThat(host.requests()).hasSize(2);
  }

  @ParameterizedTest
  @CsvSource({
    "401, '{\"error\": \"invalid_client\"}', no token for client tide, Tried once, 401",
    "400, '{\"error\": \"invalid_scope hushhush\"}', no token for client tide, Tried once, 400",
    "503, <html>, overloaded, Tried 2 times, 503",
    "200, <html>, without a usable access_token, Tried once, 200",
    "200, '{\"access_token\": \"two words\"}', without a usable access_token, Tried once, 200",
  })
  void tokenEndpointsFailureIsToldAsItsOwn(
      int status, String body, String problem, String tried, int code) {
    issuer.then(status, "application/json", body);
    assertThatThrownBy(() -> ask(settings(client(60_000))))
        .isInstanceOfSatisfying(
            RegistryUnavailableException.class, e -> assertThat(e.code()).isEqualTo(code))
        .hasMessageContaining("/schemas/ids/7 was not requested: token endpoint " + issuer.url())
        .hasMessageContaining(problem)
        .hasMessageContaining(tried)
        .message()
        .doesNotContain("hushhush");
    assertThat(host.requests()).isEmpty();
  }

  @Test
  void tokenEndpointThatIsDownIsToldByItsOwnSetting() {
    issuer.close();
    assertThatThrownBy(() -> ask(settings(client(60_000))))
        .isInstanceOf(RegistryUnavailableException.class)
        .hasMessageContaining("nothing accepts connections there")
        .hasMessageContaining("Check bearer.auth.issuer.endpoint.url")
        .hasMessageContaining("Tried 2 times");
  }

  @Test
  void echoedTokenIsHidden() {
    issuer.thenJson(200, token("one-secret-token", 3_600));
    host.thenJson(500, "{\"message\": \"no use for Bearer one-secret-token\"}");
    assertThatThrownBy(() -> ask(settings(client(60_000))))
        .hasMessageContaining("(no use for Bearer [hidden])");
  }

  @ParameterizedTest
  @ValueSource(ints = {301, 302, 307, 308})
  void redirectOnTheSameHostIsFollowedWithCredentials(int status) throws Exception {
    host.then(status, "text/html", "", "Location", "/apis/v7/schemas/ids/7").thenJson(200, FOUND);
    ask(settings(new BearerToken(new Secret("hushhush"))));
    assertThat(host.requests()).containsExactly("/schemas/ids/7", "/apis/v7/schemas/ids/7");
    assertThat(host.authorizations()).containsExactly("Bearer hushhush", "Bearer hushhush");
  }

  @Test
  void registrationIsRedirectedOnlyAsItStands() throws Exception {
    host.then(307, "text/html", "", "Location", "/elsewhere").thenJson(200, "{\"id\": 3}");
    try (ConfluentRegistry registry = registry(settings())) {
      registry.subjects().register("a", Schema.create(Schema.Type.LONG));
    }
    assertThat(host.bodies()).hasSize(2).containsOnly("{\"schema\":\"\\\"long\\\"\"}");

    host.then(302, "text/html", "", "Location", "/elsewhere");
    host.thenJson(200, "{\"id\": 3}");
    try (ConfluentRegistry registry = registry(settings())) {
      registry.subjects().versions("a");
      throw new AssertionError("a list of versions is no id");
    } catch (RegistryException e) {
      assertThat(e).hasMessageContaining("but not a list of versions");
    }
  }

  @Test
  void endlessRedirectIsCutOff() {
    host.then(302, "text/html", "", "Location", "/schemas/ids/7");
    assertThatThrownBy(() -> ask(settings()))
        .isInstanceOf(RegistryUnavailableException.class)
        .hasMessageContaining("returned HTTP 302, a redirect to host localhost");
    assertThat(host.requests()).hasSize(6);
  }

  @Test
  void requestsGoThroughTheProxy() throws Exception {
    host.thenJson(200, FOUND);
    URI proxy = URI.create(host.url());
    try (ConfluentRegistry registry =
        new ConfluentRegistry(
            HttpSettings.builder("http://registry.invalid:8081")
                .proxy(proxy.getHost(), proxy.getPort())
                .build())) {
      registry.schema(ID);
    }
    assertThat(host.requests()).containsExactly("http://registry.invalid:8081/schemas/ids/7");
  }

  @Test
  void headersOfOurOwnAreSentAndTheirValuesHidden() throws Exception {
    host.thenJson(200, FOUND).thenJson(500, "{\"message\": \"bad key hushhush\"}");
    HttpSettings settings =
        HttpSettings.builder(host.url())
            .header("X-Api-Key", new Secret("hushhush"))
            .rounds(1)
            .build();
    ask(settings);
    assertThat(host.headers().get(0).getFirst("X-Api-Key")).isEqualTo("hushhush");
    assertThat(settings.toString()).contains("X-Api-Key").doesNotContain("hushhush");
    assertThatThrownBy(() -> ask(settings)).hasMessageContaining("(bad key [hidden])");
  }

  @ParameterizedTest
  @ValueSource(strings = {"Host", "Content-Length", "two words", ""})
  void headerThatCannotBeSentIsRefusedWithoutItsValue(String name) {
    assertThatThrownBy(
            () -> HttpSettings.builder(host.url()).header(name, new Secret("hushhush")).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("cannot be sent")
        .message()
        .doesNotContain("hushhush");
  }

  /** The registry answers requests with one of {@link #taken}. */
  private void takingTokens() {
    host.then(
        exchange -> {
          String sent = exchange.getRequestHeaders().getFirst("Authorization");
          boolean good = sent != null && taken.contains(sent.substring("Bearer ".length()));
          answer(exchange, good ? 200 : 401, good ? FOUND : "{\"error_code\": 40101}");
        });
  }

  private static void answer(HttpExchange exchange, int status, String body) throws IOException {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(status, bytes.length);
    exchange.getResponseBody().write(bytes);
  }

  private static void pause(long ms) throws IOException {
    try {
      Thread.sleep(ms);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    }
  }

  private static String token(String value, int seconds) {
    return "{\"access_token\": \""
        + value
        + "\", \"token_type\": \"Bearer\", \"expires_in\": "
        + seconds
        + "}";
  }

  private ClientCredentials client(long renewalMs) {
    return new ClientCredentials(
        URI.create(issuer.url() + "/token"), "tide", new Secret("hushhush"), "read all", renewalMs);
  }

  private HttpSettings settings(Credentials... credentials) {
    HttpSettings.Builder settings =
        HttpSettings.builder(host.url()).rounds(2).backoffMs(1).maxBackoffMs(1);
    for (Credentials given : credentials) {
      settings.credentials(given);
    }
    return settings.build();
  }

  private static ConfluentRegistry registry(HttpSettings settings) {
    return new ConfluentRegistry(settings);
  }

  private static void ask(HttpSettings settings) throws Exception {
    try (ConfluentRegistry registry = registry(settings)) {
      registry.schema(ID);
    }
  }
}
