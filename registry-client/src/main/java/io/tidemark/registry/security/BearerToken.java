package io.tidemark.registry.security;

/** A token that stays as it is, sent with each request (RFC 6750). */
public record BearerToken(Secret token) implements Credentials {

  public BearerToken {
    // What a header does not take would be refused later, by an exception that shows it.
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
    return "The token may have expired or been replaced. Check bearer.auth.token, and what its owner"
        + " may do.";
  }

  @Override
  public String redact(String text) {
    return token.redact(text);
  }
}
