package io.tidemark.connect;

import io.tidemark.connect.hdfs.HdfsConnection;
import io.tidemark.connect.local.LocalStorage;
import io.tidemark.connect.storage.Storage;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * Opens the storage that {@code store.url} names: HDFS or a local disk. Every other store is
 * refused, because exactly once rests on a rename that is atomic and never replaces.
 */
public final class StorageFactory {
  private StorageFactory() {}

  /**
   * Opens a store. No server is asked yet.
   *
   * @param storeUrl such as {@code hdfs://namenode:8020} or {@code file:///var/lib/tidemark}
   * @param hadoopConfDir the directory of core-site.xml and hdfs-site.xml, where there is one
   * @param hadoopSettings Hadoop settings that go before those files
   * @throws IllegalArgumentException the store cannot hold tables; the message says why
   */
  public static Storage open(
      String storeUrl, Optional<Path> hadoopConfDir, Map<String, String> hadoopSettings)
      throws IOException {
    Optional<String> problem = problem(storeUrl);
    if (problem.isPresent()) {
      throw new IllegalArgumentException("store.url " + problem.get());
    }
    URI url = URI.create(storeUrl);
    return url.getScheme().equals("file")
        ? new LocalStorage(Path.of(url))
        : new HdfsConnection(url, hadoopConfDir, hadoopSettings).open();
  }

  /** Why a store cannot hold tables, with what to set; empty where it can. */
  static Optional<String> problem(String storeUrl) {
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
  static String shown(String url) {
    return url.replaceFirst("//.*@", "//…@");
  }
}
