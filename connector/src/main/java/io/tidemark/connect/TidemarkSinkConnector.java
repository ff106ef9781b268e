package io.tidemark.connect;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.config.Config;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.connect.connector.Task;
import org.apache.kafka.connect.sink.SinkConnector;

/** A sink that lands raw Avro records in HDFS as Hive tables, exactly once. */
public final class TidemarkSinkConnector extends SinkConnector {

  private Map<String, String> properties = Map.of();

  @Override
  public void start(Map<String, String> props) {
    properties = Map.copyOf(props);
  }

  @Override
  public Class<? extends Task> taskClass() {
    return TidemarkSinkTask.class;
  }

  @Override
  public List<Map<String, String>> taskConfigs(int maxTasks) {
    List<Map<String, String>> configs = new ArrayList<>(maxTasks);
    for (int task = 0; task < maxTasks; task++) {
      Map<String, String> config = new HashMap<>(properties);
      config.put(ConnectorConfig.TASK_ID, Integer.toString(task));
      configs.add(config);
    }
    return configs;
  }

  @Override
  public Config validate(Map<String, String> connectorConfigs) {
    Config config = super.validate(connectorConfigs);
    ConfigChecks.check(connectorConfigs, config);
    return config;
  }

  @Override
  public ConfigDef config() {
    return ConnectorConfig.DEFINITION;
  }

  @Override
  public void stop() {
    properties = Map.of();
  }

  @Override
  public String version() {
    return Version.CURRENT;
  }
}
