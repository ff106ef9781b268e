package io.tidemark.stack.command;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.tidemark.stack.LocalStack;
import io.tidemark.stack.SecurityOptions;
import io.tidemark.stack.Service;
import io.tidemark.stack.security.Certificates;
import io.tidemark.stack.security.Realm;
import java.io.IOException;
import java.util.List;
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
    if (stack.has(Service.KDC)) {
      secure(stack, settings);
    }
    json.writeValue(paths.connectorConfig().toFile(), settings);
    NewTopic topic = new NewTopic(settings.get("topics"), TOPIC_PARTITIONS, (short) 1);
    try (Admin admin = stack.kafka().admin()) {
      admin.createTopics(Set.of(topic)).all().get();
    }
  }

  private static void secure(LocalStack stack, Map<String, String> settings) throws IOException {
    for (String directory : List.of("/topics", "/logs", "/ledger")) {
      stack.hdfs().files().makeDirectories(directory);
      stack.hdfs().files().setOwner(directory, SecurityOptions.CONNECT);
    }
    stack
        .kafka()
        .clientSettings(SecurityOptions.CONNECT)
        .forEach((key, value) -> settings.put("kafka." + key, value));
    settings.put("hadoop.conf.dir", stack.hdfs().clientConfiguration().toString());
    settings.put("hdfs.authentication.kerberos", "true");
    settings.put("connect.hdfs.principal", Realm.principal(SecurityOptions.CONNECT));
    settings.put(
        "connect.hdfs.keytab", stack.kdc().realm().keytab(SecurityOptions.CONNECT).toString());
    settings.put("hive.metastore.kerberos.principal", "hive/_HOST@" + Realm.NAME);
    settings.put("hive.metastore.use.SSL", "true");
    settings.put(
        "hive.metastore.truststore.path", stack.security().certificates().trustStore().toString());
    settings.put("hive.metastore.truststore.password", Certificates.PASSWORD);
  }
}
