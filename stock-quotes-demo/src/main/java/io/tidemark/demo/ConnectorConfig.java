package io.tidemark.demo;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidemark.stack.LocalStack;
import io.tidemark.stack.SecuredConnector;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/** A connector's configuration from {@code config/}, with the addresses of this stack. */
record ConnectorConfig(Map<String, String> settings) {

  ConnectorConfig {
    settings = Collections.unmodifiableMap(new LinkedHashMap<>(settings));
  }

  static ConnectorConfig read(Path file, LocalStack stack, DemoRegistry registry)
      throws IOException {
    Map<String, String> settings =
        new ObjectMapper().readValue(file.toFile(), new TypeReference<>() {});
    settings.put("kafka.bootstrap.servers", stack.kafka().bootstrapServers());
    settings.putAll(registry.settings(stack));
    settings.put("store.url", stack.hdfs().uri().toString());
    settings.put("hive.metastore.uris", stack.metastore().uris());
    settings.putAll(SecuredConnector.settings(stack));
    return new ConnectorConfig(settings);
  }

  String topic() {
    return get("topics");
  }

  /** Returns the table's name. Example: {@code default.stock_quotes}. */
  String table() {
    return get("hive.database") + "." + get("hive.table.name");
  }

  /** Returns the codec's name. Example: {@code snappy}. */
  String codec() {
    return get("avro.codec");
  }

  /** Returns the directory of the commit logs. Example: {@code /logs}. */
  String logsDirectory() {
    return "/" + get("logs.dir");
  }

  /** Returns the table's directory. Example: {@code /topics/stock-quotes}. */
  String tableDirectory() {
    return "/" + get("topics.dir") + "/" + topic();
  }

  private String get(String key) {
    String value = settings.get(key);
    if (value == null) {
      throw new DemoFailedException(key + " is missing in the connector's configuration");
    }
    return value;
  }
}
