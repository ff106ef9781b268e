package io.tidemark.registry.security;

/** How a client says who it is. No kind of them prints its secrets. */
public sealed interface Credentials permits BasicCredentials, BearerToken, ClientCredentials {

  /** Who they are of, for messages. Example: {@code the credentials of user ann} */
  String described();

  /** Which settings to look at when they are refused, as a sentence. */
  String cure();

  /** The text without what would give these secrets away. */
  String redact(String text);
}
