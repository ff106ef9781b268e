package io.tidemark.connect.hive;

import java.net.URI;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/**
 * How to reach a Hive Metastore.
 *
 * @param uris Metastores that share one database, tried in order. Example: {@code
 *     thrift://metastore:9083}
 * @param user whom the Metastore is told to work for, where it has no other authentication; it
 *     makes directories as that user
 * @param connectTimeout the longest wait for a connection
 * @param callTimeout the longest wait for an answer
 */
public record MetastoreSettings(
    List<URI> uris, String user, Duration connectTimeout, Duration callTimeout) {
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);
  private static final Duration CALL_TIMEOUT = Duration.ofSeconds(60);

  public MetastoreSettings {
    uris = List.copyOf(uris);
    for (URI uri : uris) {
      if (!"thrift".equals(uri.getScheme())
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

  /** Reads {@code hive.metastore.uris}, which commas separate, with time-outs of 10 s and 60 s. */
  public static MetastoreSettings of(String uris, String user) {
    try {
      return new MetastoreSettings(
          Arrays.stream(uris.split(",", -1)).map(String::strip).map(URI::create).toList(),
          user,
          CONNECT_TIMEOUT,
          CALL_TIMEOUT);
    } catch (IllegalArgumentException e) {
      // Without the cause, which quotes a URI as it is.
      throw wrong(uris);
    }
  }

  /** Some give the address of its database, with a password. */
  private static IllegalArgumentException wrong(String uris) {
    return new IllegalArgumentException(
        "hive.metastore.uris \""
            + uris.replaceFirst("//.*@", "//…@")
            + "\" names no Metastore. Example: thrift://metastore1:9083,thrift://metastore2:9083");
  }
}
