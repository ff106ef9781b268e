package io.tidemark.registry.security;

/** A token that stays as it is, sent with each request (RFC 6750). */
public record BearerToken(Secret token) implements Credentials {

  public BearerToken {
    if (token.value().isBlank() || !token.value().strip().equals(token.value())) {
      throw new IllegalArgumentException("a bearer token must not be blank or padded with blanks.");
    }
  }

  @Override
  public String described() {
    return "a bearer token";
  }

  @Override
  public String cure() {
    return "The token may have expired or been replaced. Check bearer.auth.token, and what its owner"
        + " may do.";
  }

  @Override
  public String redact(String text) {
    return token.redact(text);
  }
}
