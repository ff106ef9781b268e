package io.tidemark.connect.config;

import io.tidemark.store.PrintableText;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Optional;

/** The checks of {@code store.url}. */
public final class StoreUrl {
  private StoreUrl() {}

  /** Returns why a store cannot be used, with the cure; empty if it can be used. */
  public static Optional<String> problem(String storeUrl) {
    String shown = "\"" + PrintableText.withoutCredentials(storeUrl) + "\" ";
    URI url;
    try {
      url = new URI(storeUrl);
    } catch (URISyntaxException e) {
      return Optional.of(
          "%sis not a URL: %s at index %d.".formatted(shown, e.getReason(), e.getIndex()));
    }
    boolean local = "file".equals(url.getScheme());
    if (!local && !"hdfs".equals(url.getScheme())) {
      return Optional.of(
          shown
              + "is not a supported store. The commit log needs a rename that is atomic and never replaces: otherwise two tasks could commit the same offsets. Use hdfs://host:port, hdfs://nameservice or file:///directory. For a mount table (viewfs), use the URL of the namespace that contains topics.dir and logs.dir: no file can be renamed to another namespace.");
    }
    String authority = url.getRawAuthority();
    if (local && (authority != null || url.getPath() == null)) {
      return Optional.of(shown + "is not a directory of this machine. Use file:///directory.");
    }
    if (!local && authority == null) {
      return Optional.of(
          shown + "does not name a name node. Use hdfs://host:port or hdfs://nameservice.");
    }
    if (!local && authority.contains("@")) {
      return Optional.of(
          shown
              + "contains a user. HDFS does not use it, and the URL is written to logs and tables. Remove all between // and @; files are written by the user that the worker runs as.");
    }
    return Optional.empty();
  }
}
