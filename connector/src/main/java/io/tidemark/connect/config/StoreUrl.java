package io.tidemark.connect.config;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Optional;

/** The form of {@code store.url}: which stores can hold tables, and how a URL is shown. */
public final class StoreUrl {
  private StoreUrl() {}

  /** Why a store cannot hold tables, with what to set; empty where it can. */
  public static Optional<String> problem(String storeUrl) {
    String shown = "\"" + shown(storeUrl) + "\" ";
    URI url;
    try {
      url = new URI(storeUrl);
    } catch (URISyntaxException e) {
      return Optional.of(
          shown + "is not a URL: " + e.getReason() + " at index " + e.getIndex() + ".");
    }
    boolean local = "file".equals(url.getScheme());
    if (!local && !"hdfs".equals(url.getScheme())) {
      return Optional.of(
          shown
              + "is on no file system whose rename is known to be atomic and never to replace: two"
              + " tasks could commit the same offsets. Use hdfs://host:port, hdfs://nameservice or"
              + " file:///directory.");
    }
    String authority = url.getRawAuthority();
    if (local && (authority != null || url.getPath() == null)) {
      return Optional.of(shown + "is no directory of this machine. Use file:///directory.");
    }
    if (!local && authority == null) {
      return Optional.of(shown + "names no name node. Use hdfs://host:port or hdfs://nameservice.");
    }
    if (!local && authority.contains("@")) {
      return Optional.of(
          shown
              + "holds a user. HDFS asks for none in its URL, and the URL is kept in logs and tables."
              + " Remove all between // and @; files are written by the user that the worker runs as.");
    }
    return Optional.empty();
  }

  /** A URL as it may be shown: some have keys in them, as {@code s3a://key:secret@bucket}. */
  public static String shown(String url) {
    return url.replaceFirst("//.*@", "//…@");
  }
}
