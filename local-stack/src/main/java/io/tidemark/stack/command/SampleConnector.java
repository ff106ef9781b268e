package io.tidemark.stack.command;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.tidemark.stack.LocalStack;
import io.tidemark.stack.SecuredConnector;
import java.io.IOException;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;

/** The connector of {@code config/stock-quotes.json}, ready to be deployed on a stack. */
final class SampleConnector {

  private static final int TOPIC_PARTITIONS = 4;

  private SampleConnector() {}

  /**
   * Creates the topic, and writes the configuration with the addresses of the stack. In a secured
   * stack the connector logs in everywhere as the workers' principal, whose directories this
   * creates.
   */
  static void prepare(LocalStack stack, StackPaths paths)
      throws IOException, InterruptedException, ExecutionException {
    ObjectMapper json = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);
    Map<String, String> settings =
        json.readValue(paths.configTemplate().toFile(), new TypeReference<>() {});
    settings.put("kafka.bootstrap.servers", stack.kafka().bootstrapServers());
    settings.put("schema.registry.url", stack.registry().url());
    settings.put("store.url", stack.hdfs().uri().toString());
    settings.put("hive.metastore.uris", stack.metastore().uris());
    if (stack.hdfs().nameNodes().size() > 1) {
      settings.put("hadoop.conf.dir", stack.hdfs().clientConfiguration().toString());
    }
    SecuredConnector.makeDirectories(stack);
    settings.putAll(SecuredConnector.settings(stack));
    json.writeValue(paths.connectorConfig().toFile(), settings);
    NewTopic topic = new NewTopic(settings.get("topics"), TOPIC_PARTITIONS, (short) 1);
    try (Admin admin = stack.kafka().admin()) {
      admin.createTopics(Set.of(topic)).all().get();
    }
  }
}
