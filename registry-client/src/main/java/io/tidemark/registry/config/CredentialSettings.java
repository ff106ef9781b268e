package io.tidemark.registry.config;

import io.tidemark.registry.security.BasicCredentials;
import io.tidemark.registry.security.BearerToken;
import io.tidemark.registry.security.ClientCredentials;
import io.tidemark.registry.security.Credentials;
import io.tidemark.registry.security.Secret;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * Reads the client's credentials from {@code basic.auth.*} and {@code bearer.auth.*}. One thread.
 */
final class CredentialSettings {
  private static final String BASIC_SOURCE = "basic.auth.credentials.source";
  private static final String USER_INFO = "basic.auth.user.info";
  private static final String BEARER_SOURCE = "bearer.auth.credentials.source";
  private static final String TOKEN = "bearer.auth.token";
  private static final String ISSUER = "bearer.auth.issuer.endpoint.url";
  private static final String CLIENT_ID = "bearer.auth.client.id";
  private static final String CLIENT_SECRET = "bearer.auth.client.secret";
  private static final String SCOPE = "bearer.auth.scope";
  private static final String BUFFER = "bearer.auth.cache.expiry.buffer.seconds";

  private final ConfigReader config;

  CredentialSettings(ConfigReader config) {
    this.config = config;
  }

  /**
   * Returns the credentials that replace those in the URLs.
   *
   * @param inUrl whether a URL contains a user
   */
  Optional<Credentials> read(boolean inUrl) {
    Optional<Credentials> basic = basic(inUrl);
    Optional<Credentials> bearer = bearer();
    if (bearer.isPresent() && (basic.isPresent() || inUrl)) {
      config.problem(
          BEARER_SOURCE,
          "cannot be combined with basic credentials. Remove bearer.auth.*, or remove basic.auth.*"
              + " and the user in the URL.");
    }
    return basic.or(() -> bearer);
  }

  private Optional<Credentials> basic(boolean inUrl) {
    Optional<String> source = config.text(BASIC_SOURCE);
    Optional<String> info = config.text(USER_INFO);
    switch (source.orElse("URL")) {
      case "URL" -> {
        if (info.isPresent()) {
          config.problem(
              USER_INFO,
              "is set, but "
                  + BASIC_SOURCE
                  + " is URL, so it would not be used. Set it to USER_INFO.");
        }
        return Optional.empty();
      }
      case "USER_INFO" -> {
        if (info.isEmpty()) {
          config.problem(USER_INFO, "is missing. Set it to user:password.");
        }
        if (inUrl) {
          config.problem(
              BASIC_SOURCE, "is USER_INFO, and a URL contains a user too. Remove one of the two.");
        }
        return config.parsed(USER_INFO, info, BasicCredentials::parse);
      }
      default -> {
        config.problem(
            BASIC_SOURCE,
            "\"" + source.orElse("") + "\" is not supported. Set it to URL or USER_INFO.");
        return Optional.empty();
      }
    }
  }

  private Optional<Credentials> bearer() {
    Optional<String> source = config.text(BEARER_SOURCE);
    Optional<String> token = config.text(TOKEN);
    Map<String, String> client = new TreeMap<>();
    for (String name : List.of(ISSUER, CLIENT_ID, CLIENT_SECRET, SCOPE, BUFFER)) {
      config.text(name).ifPresent(value -> client.put(name, value));
    }
    if (source.isEmpty()) {
      List<String> unused = new ArrayList<>(client.keySet());
      token.ifPresent(value -> unused.add(0, TOKEN));
      if (!unused.isEmpty()) {
        config.problem(
            BEARER_SOURCE,
            "is missing, so "
                + String.join(", ", unused)
                + " would not be used. Set it to STATIC_TOKEN or OAUTHBEARER.");
      }
      return Optional.empty();
    }
    switch (source.get()) {
      case "STATIC_TOKEN" -> {
        client.keySet().forEach(name -> unused(name, "STATIC_TOKEN"));
        if (token.isEmpty()) {
          config.problem(TOKEN, "is missing. " + BEARER_SOURCE + " is STATIC_TOKEN.");
        }
        return config.parsed(TOKEN, token, text -> new BearerToken(new Secret(text)));
      }
      case "OAUTHBEARER" -> {
        token.ifPresent(value -> unused(TOKEN, "OAUTHBEARER"));
        return client(client);
      }
      default -> {
        config.problem(
            BEARER_SOURCE,
            "\"" + source.get() + "\" is not supported. Set it to STATIC_TOKEN or OAUTHBEARER.");
        return Optional.empty();
      }
    }
  }

  private void unused(String name, String source) {
    config.problem(
        name, "would not be used, as " + BEARER_SOURCE + " is " + source + ". Remove it.");
  }

  private Optional<Credentials> client(Map<String, String> settings) {
    boolean complete = true;
    for (String name : List.of(ISSUER, CLIENT_ID, CLIENT_SECRET)) {
      if (!settings.containsKey(name)) {
        config.problem(name, "is missing. " + BEARER_SOURCE + " is OAUTHBEARER.");
        complete = false;
      }
    }
    long bufferSeconds =
        config.number(BUFFER, Optional.ofNullable(settings.get(BUFFER)), "seconds", 0, 86_400, 300);
    if (!complete) {
      return Optional.empty();
    }
    return config.parsed(
        ISSUER,
        Optional.of(settings.getOrDefault(ISSUER, "")),
        url ->
            new ClientCredentials(
                uri(url),
                settings.getOrDefault(CLIENT_ID, ""),
                new Secret(settings.getOrDefault(CLIENT_SECRET, "")),
                settings.getOrDefault(SCOPE, ""),
                TimeUnit.SECONDS.toMillis(bufferSeconds)));
  }

  /** Parses a URL. Only the reason is passed on: the exception's message may contain a password. */
  private static URI uri(String url) {
    try {
      return new URI(url);
    } catch (URISyntaxException e) {
      throw new IllegalArgumentException(
          "the URL of a token endpoint is malformed at character "
              + e.getIndex()
              + ": "
              + e.getReason()
              + ".");
    }
  }
}
