package io.tidemark.registry.config;

import io.tidemark.registry.security.Secret;
import io.tidemark.registry.security.TlsSettings;
import io.tidemark.registry.security.TlsStore;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Reads {@code schema.registry.ssl.*}. Not thread-safe. */
final class TlsConfig {
  private final ConfigReader config;

  TlsConfig(ConfigReader config) {
    this.config = config;
  }

  TlsSettings read() {
    String algorithm = "ssl.endpoint.identification.algorithm";
    // An empty text disables the check; a missing key does not.
    Optional<String> check = config.ownOrEmpty(algorithm);
    if (check.isPresent() && !check.get().isEmpty() && !check.get().equalsIgnoreCase("https")) {
      config.problem(
          "schema.registry." + algorithm,
          "\"" + check.get() + "\" is not valid. Set https, or empty text to disable the check.");
    }
    Optional<TlsStore> keys = keys();
    return new TlsSettings(
        keys,
        trust(),
        check.map(value -> !value.isEmpty()).orElse(true),
        protocols(config.own("ssl.enabled.protocols")));
  }

  private static List<String> protocols(Optional<String> text) {
    return text.map(list -> Arrays.stream(list.split(",")).map(String::strip).toList())
        .orElse(List.of());
  }

  private Optional<TlsStore> keys() {
    Optional<String> key = config.own("ssl.keystore.key");
    Optional<String> chain = config.own("ssl.keystore.certificate.chain");
    Secret keyPassword = secret("ssl.key.password");
    if (key.isPresent() != chain.isPresent()) {
      config.problem(
          "schema.registry.ssl.keystore." + (key.isPresent() ? "certificate.chain" : "key"),
          "is missing. A key and its certificates must be set together.");
    }
    return store(
        "ssl.keystore",
        key.isPresent() && chain.isPresent()
            ? Optional.of(key.get() + "\n" + chain.get())
            : Optional.empty(),
        keyPassword);
  }

  private Optional<TlsStore> trust() {
    return store("ssl.truststore", config.own("ssl.truststore.certificates"), Secret.NONE);
  }

  private Optional<TlsStore> store(String prefix, Optional<String> pem, Secret keyPassword) {
    String location = "schema.registry." + prefix + ".location";
    Optional<Path> file = config.parsed(location, config.own(prefix + ".location"), Path::of);
    Secret password = secret(prefix + ".password");
    Optional<TlsStore.Type> type =
        config.parsed(
            "schema.registry." + prefix + ".type",
            config.own(prefix + ".type"),
            TlsStore.Type::parse);
    if (pem.isPresent() && file.isPresent()) {
      config.problem(location, "is set together with certificates as text. Remove one of the two.");
    }
    if (file.isEmpty() && pem.isEmpty() && !password.isEmpty()) {
      config.problem(location, "is missing, but its password is set.");
    }
    if (pem.isPresent()) {
      if (type.isPresent() && type.get() != TlsStore.Type.PEM) {
        config.problem(
            "schema.registry." + prefix + ".type", "must be PEM for certificates given as text.");
      }
      return Optional.of(new TlsStore.OfPem(new Secret(pem.get()), keyPassword));
    }
    return file.map(
        path -> new TlsStore.OfFile(path, type.orElse(TlsStore.Type.JKS), password, keyPassword));
  }

  private Secret secret(String name) {
    return config.own(name).map(Secret::new).orElse(Secret.NONE);
  }
}
