package io.tidemark.benchmarks.sinks;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.connect.connector.Task;
import org.apache.kafka.connect.sink.SinkConnector;

/** The connector of the sink that only counts: the upper limit that Connect itself sets. */
public final class CountingSinkConnector extends SinkConnector {
  private Map<String, String> settings = Map.of();

  @Override
  public void start(Map<String, String> newSettings) {
    settings = Map.copyOf(newSettings);
  }

  @Override
  public Class<? extends Task> taskClass() {
    return CountingSinkTask.class;
  }

  @Override
  public List<Map<String, String>> taskConfigs(int maxTasks) {
    return Collections.nCopies(maxTasks, settings);
  }

  @Override
  public void stop() {}

  @Override
  public ConfigDef config() {
    return new ConfigDef();
  }

  @Override
  public String version() {
    return "benchmark";
  }
}
