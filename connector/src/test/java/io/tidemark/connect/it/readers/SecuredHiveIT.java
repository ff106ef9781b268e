package io.tidemark.connect.it.readers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.connect.it.hadoop.OnSecuredStack;
import io.tidemark.connect.it.hadoop.SecuredStack;
import io.tidemark.connect.it.landed.LandedTable;
import io.tidemark.connect.it.stack.ConnectorSettings;
import io.tidemark.connect.it.stack.Deployment;
import io.tidemark.connect.it.stack.RealStack;
import io.tidemark.connect.it.stack.SourceTopic;
import io.tidemark.stack.HiveClient;
import io.tidemark.stack.SecurityOptions;
import io.tidemark.stack.security.Certificates;
import io.tidemark.stack.security.Realm;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The table of every type, as HiveServer2 shows it to a principal of Kerberos. */
@OnSecuredStack
@Tag("long")
final class SecuredHiveIT {
  private static final String READER = "Hive";

  @Test
  void principalReadsEachValueThatAnotherPrincipalHasLanded(SecuredStack stack) throws Exception {
    RealStack real = stack.landing();
    try {
      SourceTopic topic = real.topic("secured-every-type", 1);
      Landing.produce(real, topic, EveryType.columns(), true);
      Deployment connector = real.deploy(settings(stack, topic));
      connector.awaitLanded();
      Landing.produce(real, topic, EveryType.columns(), false);
      connector.awaitLanded();

      LandedTable landed = connector.table(topic);
      HiveClient bob = stack.services().hive().clientAs("bob");
      Answer answer =
          HiveReader.read(query -> rows(bob, query), landed.name(), EveryType.columns());
      assertThat(answer.rows())
          .containsOnlyKeys(LongStream.range(0, 2 * Landing.ROWS).boxed().toList());
      assertThat(
              new TypesTable.Table(
                      EveryType.columns(), Landing.ROWS, Map.of(READER, answer), Set.of())
                  .wrong(READER))
          .isEmpty();
      assertThatThrownBy(() -> stack.services().hive().clientAs("nobody").query("SELECT 1"))
          .hasStackTraceContaining("LoginException");
    } finally {
      real.endTest();
    }
  }

  private static List<List<@Nullable Object>> rows(HiveClient client, String query) {
    try {
      return client.query(query);
    } catch (SQLException e) {
      throw new AssertionError(query, e);
    }
  }

  private static ConnectorSettings settings(SecuredStack stack, SourceTopic topic) {
    ConnectorSettings settings =
        ConnectorSettings.of(topic.name(), topic)
            .with("completeness.enabled", "false")
            .with("validation.connect", "false")
            .with("partitioner.class", "TimeBasedPartitioner")
            .with("path.format", "'dt'=yyyy-MM-dd")
            .with("partition.duration.ms", 86_400_000)
            .with("hadoop.conf.dir", stack.services().hdfs().clientConfiguration().toString())
            .with("hdfs.authentication.kerberos", "true")
            .with("connect.hdfs.principal", Realm.principal("alice"))
            .with("connect.hdfs.keytab", stack.kdc().realm().keytab("alice").toString())
            .with("hive.metastore.kerberos.principal", "hive/_HOST@" + Realm.NAME)
            .with("hive.metastore.use.SSL", "true")
            .with(
                "hive.metastore.truststore.path",
                stack.services().security().certificates().trustStore().toString())
            .with("hive.metastore.truststore.password", Certificates.PASSWORD);
    Map<String, String> kafka = stack.services().kafka().clientSettings(SecurityOptions.CONNECT);
    for (Map.Entry<String, String> each : kafka.entrySet()) {
      settings = settings.with("kafka." + each.getKey(), each.getValue());
    }
    return settings;
  }
}
