package io.tidemark.registry.security;

import java.nio.charset.StandardCharsets;
import java.util.Base64;

/** A user name and a password for HTTP's basic authentication (RFC 7617, in UTF-8). */
public record BasicCredentials(String user, Secret password) implements Credentials {

  public BasicCredentials {
    if (user.contains(":")) {
      throw new IllegalArgumentException(
          "a user name of basic authentication cannot contain a colon (RFC 7617).");
    }
  }

  /** Creates the credentials of a user. */
  public BasicCredentials(String user, String password) {
    this(user, new Secret(password));
  }

  /**
   * Parses {@code user:password}; the password begins after the first colon.
   *
   * @throws IllegalArgumentException if there is no colon; the message does not contain the text
   */
  public static BasicCredentials parse(String text) {
    int colon = text.indexOf(':');
    if (colon < 0) {
      throw new IllegalArgumentException(
          "the user info of basic authentication has no colon. Write it as user:password.");
    }
    return new BasicCredentials(text.substring(0, colon), text.substring(colon + 1));
  }

  /** Returns the value of an Authorization header. */
  public String authorization() {
    return "Basic " + token().value();
  }

  @Override
  public String described() {
    return "the credentials of user " + user;
  }

  @Override
  public String cure() {
    return "Check basic.auth.credentials.source and basic.auth.user.info, and that user's"
        + " permissions.";
  }

  @Override
  public String redact(String text) {
    return password.redact(token().redact(text));
  }

  private Secret token() {
    return new Secret(
        Base64.getEncoder()
            .encodeToString((user + ":" + password.value()).getBytes(StandardCharsets.UTF_8)));
  }

  @Override
  public String toString() {
    return user + ":" + password;
  }
}
