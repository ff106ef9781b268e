package io.tidemark.neighbour;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.connect.connector.Task;
import org.apache.kafka.connect.sink.SinkConnector;

/**
 * The connector of a sink that works with other versions of Hadoop, Avro and Thrift than Tidemark.
 */
public final class NeighbourSinkConnector extends SinkConnector {
  private Map<String, String> settings = Map.of();

  @Override
  public void start(Map<String, String> newSettings) {
    settings = Map.copyOf(newSettings);
  }

  @Override
  public Class<? extends Task> taskClass() {
    return NeighbourSinkTask.class;
  }

  @Override
  public List<Map<String, String>> taskConfigs(int maxTasks) {
    return Collections.nCopies(maxTasks, settings);
  }

  @Override
  public void stop() {}

  /** {@code store.url} is a file system, {@code directory} where the files go. */
  @Override
  public ConfigDef config() {
    return new ConfigDef()
        .define("store.url", ConfigDef.Type.STRING, ConfigDef.Importance.HIGH, "file system")
        .define("directory", ConfigDef.Type.STRING, ConfigDef.Importance.HIGH, "of the files");
  }

  @Override
  public String version() {
    return "neighbour";
  }
}
