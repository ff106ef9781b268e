package io.tidemark.registry.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.registry.ScriptedHost;
import io.tidemark.registry.http.AccessTokens.NoTokenException;
import io.tidemark.registry.security.ClientCredentials;
import io.tidemark.registry.security.Secret;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The life of a token, with the test's clock. */
@Timeout(20)
final class AccessTokensTest {
  private final ScriptedHost issuer = new ScriptedHost();
  private final AtomicLong nowSeconds = new AtomicLong(Long.MAX_VALUE / 1_000_000_000);
  private final AccessTokens tokens =
      new AccessTokens(
          new ClientCredentials(
              URI.create(issuer.url()), "tide", new Secret("hushhush"), "", 300_000),
          new Clients(HttpSettings.builder(issuer.url()).build()),
          () -> TimeUnit.SECONDS.toNanos(1) * nowSeconds.get());

  @AfterEach
  void stop() {
    issuer.close();
  }

  @Test
  void tokenIsRenewedBeforeItExpires() throws Exception {
    issuer.thenJson(200, token("one", 3_600)).thenJson(200, token("two", 3_600));
    assertThat(token()).isEqualTo("one");
    nowSeconds.addAndGet(3_299);
    assertThat(token()).isEqualTo("one");
    nowSeconds.addAndGet(1);
    assertThat(token()).isEqualTo("two");
    assertThat(issuer.bodies()).containsOnly("grant_type=client_credentials");
    assertThat(tokens.redact("a request with one may still be answered, as one with two"))
        .isEqualTo("a request with [hidden] may still be answered, as [hidden] with [hidden]");
  }

  @Test
  void shortLivedTokenServesHalfItsLifeAtLeast() throws Exception {
    issuer.thenJson(200, token("one", 60)).thenJson(200, token("two", 60));
    assertThat(token()).isEqualTo("one");
    nowSeconds.addAndGet(29);
    assertThat(token()).isEqualTo("one");
    nowSeconds.addAndGet(1);
    assertThat(token()).isEqualTo("two");
  }

  @Test
  void tokenWithoutALifeServesUntilItIsRefused() throws Exception {
    issuer.thenJson(200, "{\"access_token\": \"one\"}").thenJson(200, token("two", 60));
    assertThat(token()).isEqualTo("one");
    nowSeconds.addAndGet(1_000_000);
    assertThat(token()).isEqualTo("one");
    tokens.refused(new Secret("another"));
    assertThat(token()).isEqualTo("one");
    tokens.refused(new Secret("one"));
    assertThat(token()).isEqualTo("two");
  }

  @Test
  void endpointThatIsAwayMattersOnlyOnceTheTokenHasExpired() throws Exception {
    issuer.thenJson(200, token("one", 3_600)).thenJson(503, "{}");
    assertThat(token()).isEqualTo("one");
    nowSeconds.addAndGet(3_300);
    assertThat(token()).isEqualTo("one");
    assertThat(token()).isEqualTo("one");
    assertThat(issuer.requests()).hasSize(2);
    nowSeconds.addAndGet(10);
    assertThat(token()).isEqualTo("one");
    assertThat(issuer.requests()).hasSize(3);

    nowSeconds.addAndGet(290);
    assertThatThrownBy(this::token).isInstanceOf(NoTokenException.class);
    issuer.thenJson(200, token("two", 3_600));
    assertThatThrownBy(this::token).isInstanceOf(NoTokenException.class);
    assertThat(token()).isEqualTo("two");
  }

  @Test
  void othersGoOnWithTheTokenThatIsStillGoodWhileOneRenewsIt() throws Exception {
    CountDownLatch arrived = new CountDownLatch(1);
    CountDownLatch released = new CountDownLatch(1);
    issuer
        .thenJson(200, token("one", 3_600))
        .then(
            exchange -> {
              arrived.countDown();
              try {
                released.await();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
              byte[] body = token("two", 3_600).getBytes(StandardCharsets.UTF_8);
              exchange.sendResponseHeaders(200, body.length);
              exchange.getResponseBody().write(body);
            });
    assertThat(token()).isEqualTo("one");
    nowSeconds.addAndGet(3_400);
    FutureTask<String> renewal = new FutureTask<>(this::token);
    new Thread(renewal).start();
    arrived.await();
    assertThat(token()).isEqualTo("one");
    released.countDown();
    assertThat(renewal.get()).isEqualTo("two");
    assertThat(token()).isEqualTo("two");
  }

  private String token() throws NoTokenException, InterruptedException {
    return tokens.token(5_000, 5_000).value();
  }

  private static String token(String value, int seconds) {
    return "{\"access_token\": \"" + value + "\", \"expires_in\": " + seconds + "}";
  }
}
