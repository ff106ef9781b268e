package io.tidemark.connect.config;

import io.tidemark.connect.hdfs.Keytab;
import java.time.Duration;

/** The checks of the settings of Kerberos and TLS, and of the keytab on this machine. */
final class KerberosChecks {
  private KerberosChecks() {}

  /** Adds the settings with which no login can succeed. */
  static void check(ConnectorConfig config, ConfigErrors errors) {
    if (isTrue(config, ConnectorConfig.HIVE_METASTORE_TLS)) {
      isGiven(
          ConnectorConfig.HIVE_METASTORE_TRUST_STORE,
          ConnectorConfig.HIVE_METASTORE_TLS,
          config,
          errors);
    }
    http(config, errors);
    if (isTrue(config, ConnectorConfig.KERBEROS)) {
      boolean named = isGiven(ConnectorConfig.PRINCIPAL, ConnectorConfig.KERBEROS, config, errors);
      if (isGiven(ConnectorConfig.KEYTAB, ConnectorConfig.KERBEROS, config, errors) && named) {
        keytab(config, errors);
      }
    } else if (!config.text(ConnectorConfig.HIVE_METASTORE_PRINCIPAL).isBlank()) {
      errors.add(
          ConnectorConfig.HIVE_METASTORE_PRINCIPAL,
          "has no effect without a login. Set hdfs.authentication.kerberos=true, or remove this key.");
    }
  }

  private static void http(ConnectorConfig config, ConfigErrors errors) {
    String uris = config.text(ConnectorConfig.HIVE_METASTORE_URIS);
    boolean kerberos = !config.text(ConnectorConfig.HIVE_METASTORE_PRINCIPAL).isBlank();
    String other = isTrue(config, ConnectorConfig.HIVE_METASTORE_TLS) ? "http:" : "https:";
    if (uris.contains(other) || (kerberos && uris.contains("http"))) {
      errors.add(
          ConnectorConfig.HIVE_METASTORE_URIS,
          "contradicts another key. With hive.metastore.use.SSL=true write https://, otherwise http://. With HTTP there is no Kerberos: remove hive.metastore.kerberos.principal, or use thrift://.");
    }
  }

  private static boolean isTrue(ConnectorConfig config, String key) {
    return Boolean.parseBoolean(config.text(key).strip());
  }

  private static boolean isGiven(
      String key, String with, ConnectorConfig config, ConfigErrors errors) {
    boolean given = !config.text(key).isBlank();
    if (!given) {
      errors.add(key, "is not set, but %s=true requires it. Set both, or neither.".formatted(with));
    }
    return given;
  }

  private static void keytab(ConnectorConfig config, ConfigErrors errors) {
    try {
      Keytab.of(
              config.text(ConnectorConfig.PRINCIPAL),
              config.text(ConnectorConfig.KEYTAB),
              Duration.ZERO)
          .problem()
          .ifPresent(problem -> errors.add(ConnectorConfig.KEYTAB, problem));
    } catch (IllegalArgumentException e) {
      errors.add(ConnectorConfig.PRINCIPAL, String.valueOf(e.getMessage()));
    }
  }
}
