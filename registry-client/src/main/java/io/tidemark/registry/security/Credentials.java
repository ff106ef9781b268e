package io.tidemark.registry.security;

/** Authentication of the client. No implementation prints its secrets. */
public sealed interface Credentials permits BasicCredentials, BearerToken, ClientCredentials {

  /** Returns a description for messages. Example: {@code the credentials of user ann} */
  String described();

  /** Returns a sentence that names the settings to check if the credentials are rejected. */
  String cure();

  /** Returns a text without these secrets. */
  String redact(String text);
}
