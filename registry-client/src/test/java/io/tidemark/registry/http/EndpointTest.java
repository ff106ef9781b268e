package io.tidemark.registry.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.registry.security.BasicCredentials;
import java.net.URI;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class EndpointTest {

  @Test
  void prefixOfTheApiIsKept() {
    Endpoint endpoint = Endpoint.parse(" http://registry:8081/apis/ccompat/v7// ");
    assertThat(endpoint).hasToString("http://registry:8081/apis/ccompat/v7");
    assertThat(endpoint.resource("/schemas/ids/7"))
        .isEqualTo(URI.create("http://registry:8081/apis/ccompat/v7/schemas/ids/7"));
  }

  @Test
  void credentialsAreTakenOutOfTheUrl() {
    Endpoint endpoint = Endpoint.parse("https://ann:s%40cr%3Aet@registry/a@b");
    assertThat(endpoint.base()).isEqualTo(URI.create("https://registry/a@b"));
    assertThat(endpoint.credentials()).contains(new BasicCredentials("ann", "s@cr:et"));
  }

  @Test
  void severalUrlsKeepTheirOrderAndTheirOwnCredentials() {
    assertThat(Endpoint.parseAll("http://ann:a@one:1, http://two:2"))
        .containsExactly(
            new Endpoint(URI.create("http://one:1"), Optional.of(new BasicCredentials("ann", "a"))),
            new Endpoint(URI.create("http://two:2"), Optional.empty()));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "registry",
        "registry:8081",
        "http:",
        "http://",
        "http:///path",
        "ftp://ann:secret@registry",
        "http://ann:secret@my_registry:8081",
        "http://ann:secret@registry:port",
        "http://ann:secret@registry/?x=1",
        "http://ann:sec#secret@registry/",
        "http://ann:secret^@registry/",
        "http://ann:secret@registry,",
        "http://secret@registry"
      })
  void whatIsNoRegistrysUrlIsRefusedWithoutItsSecrets(String url) {
    assertThatThrownBy(() -> Endpoint.parseAll(url))
        .isInstanceOf(IllegalArgumentException.class)
        .hasNoCause()
        .message()
        .isNotBlank()
        .doesNotContain("secret");
  }

  @Test
  void nothingPrintsAPassword() {
    HttpSettings settings =
        HttpSettings.builder("http://ann:secret@one:1,http://two:2")
            .credentials(new BasicCredentials("bob", "hushhush"))
            .build();
    assertThat(settings.location()).isEqualTo("http://one:1, http://two:2");
    assertThat(settings + settings.endpoints().toString())
        .doesNotContain("secret")
        .doesNotContain("hushhush");
  }

  @Test
  void givenCredentialsReplaceThoseInTheUrls() {
    BasicCredentials bob = BasicCredentials.parse("bob:pass:word");
    assertThat(bob).isEqualTo(new BasicCredentials("bob", "pass:word"));
    assertThat(
            HttpSettings.builder("http://ann:a@one:1,http://two:2")
                .credentials(bob)
                .build()
                .endpoints())
        .allSatisfy(endpoint -> assertThat(endpoint.credentials()).contains(bob));
  }

  @Test
  void userInfoWithoutAColonIsRefusedWithoutShowingIt() {
    assertThatThrownBy(() -> BasicCredentials.parse("secret"))
        .isInstanceOf(IllegalArgumentException.class)
        .message()
        .contains("user:password")
        .doesNotContain("secret");
  }
}
