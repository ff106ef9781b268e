package io.tidemark.registry.http;

import java.nio.charset.StandardCharsets;
import java.util.Base64;

/** A user name and a password for HTTP's basic authentication (RFC 7617, in UTF-8). */
public record BasicCredentials(String user, String password) {

  public BasicCredentials {
    if (user.contains(":")) {
      throw new IllegalArgumentException(
          "a user name of basic authentication cannot hold a colon (RFC 7617).");
    }
  }

  /**
   * Reads {@code user:password}; what follows the first colon is the password.
   *
   * @throws IllegalArgumentException when there is no colon; its message does not hold the text
   */
  public static BasicCredentials parse(String text) {
    int colon = text.indexOf(':');
    if (colon < 0) {
      throw new IllegalArgumentException(
          "the user info of basic authentication has no colon. Write it as user:password.");
    }
    return new BasicCredentials(text.substring(0, colon), text.substring(colon + 1));
  }

  /** The value of an Authorization header. */
  String authorization() {
    return "Basic " + token();
  }

  /** The text without what would give this password away. */
  String redact(String text) {
    String redacted = text.replace(token(), "[hidden]");
    return password.isEmpty() ? redacted : redacted.replace(password, "[hidden]");
  }

  private String token() {
    return Base64.getEncoder()
        .encodeToString((user + ":" + password).getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public String toString() {
    return user + ":[hidden]";
  }
}
