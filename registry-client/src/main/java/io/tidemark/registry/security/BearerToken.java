package io.tidemark.registry.security;

/** A static token, sent with each request (RFC 6750). */
public record BearerToken(Secret token) implements Credentials {

  public BearerToken {
    // A header would reject other characters later, by an exception that contains the token.
    if (token.isEmpty() || !token.value().chars().allMatch(c -> c > ' ' && c < 0x7f)) {
      throw new IllegalArgumentException(
          "a bearer token must be of visible ASCII characters, without blanks or line breaks.");
    }
  }

  @Override
  public String described() {
    return "a bearer token";
  }

  @Override
  public String cure() {
    return "The token may have expired or been replaced. Check bearer.auth.token, and its owner's"
        + " permissions.";
  }

  @Override
  public String redact(String text) {
    return token.redact(text);
  }
}
