package io.tidemark.registry.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.ProtocolException;
import java.net.URI;
import java.net.http.HttpConnectTimeoutException;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The texts of failed connections. */
final class IoFailureTest {
  @Test
  void lateConnectionOverTlsNamesAServerWithoutTls() {
    IOException late = new HttpConnectTimeoutException("HTTP connect timed out");
    assertThat(described(late, "https://registry:8081"))
        .startsWith("did not accept a connection over TLS within 50 ms.")
        .contains("or the server does not speak TLS there");
    assertThat(described(late, "http://registry:8081")).doesNotContain("TLS");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          Invalid status line: "SSH-2.0-OpenSSH_9.2p1"     | response: Invalid status line. The
          protocol error: Bad header SSH-2.0               | response: protocol error. The
          Invalid header name "SSH-2.0"                    | response: Invalid header name. The
          HTTP/1.1 header parser received no bytes         | response: HTTP/1.1 header parser received no bytes. The
          """)
  void textOfAServerOfAnotherKindIsNotQuoted(String message, String described) {
    assertThat(described(new ProtocolException(message), "http://registry:8081"))
        .contains(described)
        .doesNotContain("SSH");
  }

  @ParameterizedTest
  @CsvSource({
    "http://a, http://a:80/x, true",
    "http://a, https://a/x, true",
    "http://a:80, https://A:443/x, true",
    "http://a:8081, https://a:8081/x, true",
    "https://a, https://a:443/x, true",
    "http://a:8081, https://a:8082/x, false",
    "http://a:8081, https://a/x, false",
    "http://a, https://a:8443/x, false",
    "http://a:443, https://a:80/x, false",
    "http://a:8081, http://a:8082/x, false",
    "http://a, https://b/x, false",
    "https://a, http://a/x, false",
    "https://a:8081, http://a:8081/x, false",
    "http://a, ftp://a:80/x, false",
  })
  void redirectLeadsOnlyToThePortOfTheSameService(String from, String to, boolean followed) {
    assertThat(HttpTransport.isSameService(URI.create(from), URI.create(to))).isEqualTo(followed);
  }

  private static String described(IOException failure, String url) {
    return new IoFailure(failure, URI.create(url), UnaryOperator.identity()).described(50);
  }
}
