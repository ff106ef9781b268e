package io.tidemark.connect.hive;

import io.tidemark.store.PrintableText;
import java.net.URI;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/**
 * The settings of a connection to a Hive Metastore.
 *
 * @param uris Metastores that share one database, tried in order: thrift, http or https
 */
public record MetastoreSettings(
    List<URI> uris, MetastoreAccess access, Duration connectTimeout, Duration callTimeout) {
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);
  private static final Duration CALL_TIMEOUT = Duration.ofSeconds(60);

  public MetastoreSettings {
    uris = List.copyOf(uris);
    for (URI uri : uris) {
      String scheme = String.valueOf(uri.getScheme());
      if (!scheme.matches("thrift|https?")
          || (scheme.startsWith("http") && String.valueOf(uri.getPath()).length() < 2)
          || uri.getHost() == null
          || uri.getPort() < 1
          || uri.getRawUserInfo() != null) {
        throw wrong(uri.toString());
      }
    }
    if (uris.isEmpty()) {
      throw wrong("");
    }
  }

  /** Parses {@code hive.metastore.uris}, a comma-separated list; the timeouts are 10 s and 60 s. */
  public static MetastoreSettings of(String uris, MetastoreAccess access) {
    try {
      return new MetastoreSettings(
          Arrays.stream(uris.split(",", -1)).map(String::strip).map(URI::create).toList(),
          access,
          CONNECT_TIMEOUT,
          CALL_TIMEOUT);
    } catch (IllegalArgumentException e) {
      // The cause is omitted, because it quotes the URI with a password.
      throw wrong(uris);
    }
  }

  /** Returns these settings with other timeouts. */
  public MetastoreSettings within(Duration connect, Duration call) {
    return new MetastoreSettings(uris, access, connect, call);
  }

  /** Hides passwords: some users give the address of the Metastore's database. */
  private static IllegalArgumentException wrong(String uris) {
    return new IllegalArgumentException(
        "hive.metastore.uris \"%s\" is not a list of Metastores. Example: thrift://metastore1:9083,thrift://metastore2:9083"
            .formatted(PrintableText.withoutCredentials(uris)));
  }
}
