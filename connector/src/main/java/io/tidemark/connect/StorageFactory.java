package io.tidemark.connect;

import io.tidemark.connect.config.ConnectorConfig;
import io.tidemark.connect.config.StoreUrl;
import io.tidemark.connect.hdfs.HdfsConnection;
import io.tidemark.store.LocalStorage;
import io.tidemark.store.Storage;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Opens the store that {@code store.url} names: HDFS or a local disk. */
public final class StorageFactory {
  private StorageFactory() {}

  /** {@code hadoopSettings} override those of core-site.xml and hdfs-site.xml. Sends no request. */
  public static Storage open(ConnectorConfig config, Map<String, String> hadoopSettings)
      throws IOException {
    String storeUrl = config.getString(ConnectorConfig.STORE_URL);
    Optional<String> problem = StoreUrl.problem(storeUrl);
    if (problem.isPresent()) {
      throw new IllegalArgumentException("store.url " + problem.get());
    }
    URI url = URI.create(storeUrl);
    String confDir = config.getString(ConnectorConfig.HADOOP_CONF_DIR);
    Map<String, String> settings = new HashMap<>(config.hadoopSettings());
    settings.putAll(hadoopSettings);
    return url.getScheme().equals("file")
        ? new LocalStorage(Path.of(url))
        : new HdfsConnection(
                url,
                confDir.isEmpty() ? Optional.empty() : Optional.of(Path.of(confDir)),
                settings,
                config.hadoopUser())
            .open();
  }
}
