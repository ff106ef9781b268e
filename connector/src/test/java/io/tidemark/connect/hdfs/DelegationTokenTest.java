package io.tidemark.connect.hdfs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.Base64;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.security.token.TokenIdentifier;
import org.junit.jupiter.api.Test;

final class DelegationTokenTest {

  @Test
  void tokenIsNameAndPasswordAndIsNotShown() throws IOException {
    byte[] identifier = "identifier".getBytes(UTF_8);
    byte[] password = "s3cr3t".getBytes(UTF_8);
    String text =
        new Token<TokenIdentifier>(identifier, password, new Text("kind"), new Text("service"))
            .encodeToUrlString();

    DelegationToken token = DelegationToken.parse(text);

    Base64.Encoder encoder = Base64.getEncoder();
    assertThat(token.identifier()).isEqualTo(encoder.encodeToString(identifier));
    assertThat(token.password()).isEqualTo(encoder.encodeToString(password));
    assertThat(token).hasToString("DelegationToken[hidden]");
  }

  @Test
  void malformedTokenIsNotRepeated() {
    assertThatThrownBy(() -> DelegationToken.parse("s3cr3t"))
        .isInstanceOf(IOException.class)
        .hasMessage("the service returned a malformed token")
        .satisfies(e -> assertThat(String.valueOf(e.getCause())).doesNotContain("s3cr3t"));
  }
}
