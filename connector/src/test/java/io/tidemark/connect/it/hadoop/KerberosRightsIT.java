package io.tidemark.connect.it.hadoop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.connect.it.permissions.DocumentedRight;
import io.tidemark.connect.it.permissions.KafkaRight;
import io.tidemark.connect.it.stack.ConnectorSettings;
import io.tidemark.connect.it.stack.Deployment;
import io.tidemark.connect.it.stack.Readings;
import io.tidemark.connect.it.stack.RealStack;
import io.tidemark.connect.it.stack.SourceTopic;
import io.tidemark.stack.Polling;
import io.tidemark.stack.SecuredConnector;
import io.tidemark.stack.Security;
import io.tidemark.stack.WebHdfs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.permission.AclEntry;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A connector lands by Kerberos, with completeness, with exactly the rights of docs/OPERATIONS.md:
 * of its principal and of the consumer's. Without one of them it waits, and the reason names the
 * right.
 */
@OnSecuredStack
final class KerberosRightsIT {

  /** The principal of HDFS, the Metastore and the {@code kafka.*} settings. */
  private static final String LANDER = SecuredStack.WITHOUT_RIGHTS.get(0);

  /** The principal of the {@code *.override.*} settings. */
  private static final String CONSUMER = SecuredStack.WITHOUT_RIGHTS.get(1);

  /** The group of the tables, in which HiveServer2's user is, and the Metastore's is not. */
  private static final String READERS = Security.HIVE_READERS;

  private static final String WAREHOUSE = "/warehouse/external";
  private static final int ANY_ROWS = 200;

  private final SecuredStack stack;
  private final RealStack real;
  private final WebHdfs superuser;

  KerberosRightsIT(SecuredStack stack) throws IOException {
    this.stack = stack;
    this.real = stack.landing();
    this.superuser = stack.services().hdfs().files();
  }

  @BeforeEach
  void setDocumentedModes() throws Exception {
    for (Map.Entry<String, String> root : RealStack.MODES.entrySet()) {
      own(root.getKey(), LANDER);
      superuser.setPermission(root.getKey(), root.getValue());
    }
    superuser.setOwner(WAREHOUSE, "hive", "hive");
    superuser.setPermission(WAREHOUSE, "755");
  }

  @AfterEach
  void openToAllTests() throws IOException {
    real.endTest();
    for (String root : RealStack.MODES.keySet()) {
      superuser.setPermission(root, "777");
    }
    superuser.setPermission(WAREHOUSE, "777");
  }

  private void own(String directory, String owner) throws IOException {
    superuser.setOwner(directory, owner, READERS);
  }

  /** {@code hdfs dfs -setfacl -m ENTRY DIRECTORY}. */
  private void setAcl(String entry, String directory) throws Exception {
    try (FileSystem files =
        stack.fileSystemOf(stack.login(Security.NAME_NODE), stack.configuration())) {
      files.modifyAclEntries(
          new org.apache.hadoop.fs.Path(directory), AclEntry.parseAclSpec(entry, true));
    }
  }

  private void letCreateDatabases() throws Exception {
    setAcl("user:" + LANDER + ":rwx", WAREHOUSE);
  }

  private static KafkaRight right(DocumentedRight documented, SourceTopic topic) {
    boolean ofConsumer = documented.principal().equals(DocumentedRight.WORKERS);
    return documented.of(ofConsumer ? CONSUMER : LANDER, topic.name(), topic.name());
  }

  /** Deploys a connector with all features that need rights in Kafka, and grants these. */
  private Deployment deploy(SourceTopic topic) throws IOException {
    SourceTopic batches = real.topic(topic.name() + "-batches", 1);
    SourceTopic events = real.topic(topic.name() + "-events", 1);
    for (DocumentedRight each : DocumentedRight.all()) {
      right(each, topic).allow(real);
    }
    ConnectorSettings settings =
        ConnectorSettings.of(topic.name(), topic)
            .statedByTheHour()
            .with("hive.database", topic.name()) // which does not exist
            .with("errors.tolerance", "all")
            .with("errors.deadletterqueue.topic.name", topic.name() + "-letters")
            .with("errors.deadletterqueue.topic.replication.factor", 1)
            .with("completeness.batches.topic", batches.name())
            .with("completeness.events.topic", events.name());
    for (Map.Entry<String, String> each :
        SecuredConnector.settings(stack.services(), LANDER).entrySet()) {
      settings = settings.with(each.getKey(), each.getValue());
    }
    settings = loggedIn(settings, "kafka.", LANDER);
    for (String prefix : List.of("consumer.override.", "producer.override.", "admin.override.")) {
      settings = loggedIn(settings, prefix, CONSUMER);
    }
    return real.deploy(settings);
  }

  private ConnectorSettings loggedIn(ConnectorSettings settings, String prefix, String principal) {
    ConnectorSettings all = settings;
    for (Map.Entry<String, String> each :
        stack.services().kafka().clientSettings(principal).entrySet()) {
      all = all.with(prefix + each.getKey(), each.getValue());
    }
    return all;
  }

  @Test
  void documentedRightsAreEnoughForTheLedgerAndForHive() throws Exception {
    letCreateDatabases();
    SourceTopic topic = real.topic("rights_all", 2);
    topic.send(Readings.V1, 0, ANY_ROWS);
    Deployment connector = deploy(topic);
    awaitComplete(connector, topic, ANY_ROWS);
    assertThat(hive("SHOW PARTITIONS rights_all.tidemark_complete").toString())
        .contains("table_name=rights_all.rights_all");
    for (String closed : List.of("/topics", "/logs")) {
      for (String user : List.of("bob", "hive/localhost")) {
        assertThatThrownBy(() -> stack.services().hdfs().filesAs(user).list(closed))
            .hasMessageContaining("Permission denied: user=");
      }
    }
  }

  @Test
  @Tag("long")
  void eachRightThatIsMissingIsNamedAndLandingGoesOnWithIt() throws Exception {
    SourceTopic topic = real.topic("rights_missing", 2);
    topic.send(Readings.V1, 0, ANY_ROWS);
    letCreateDatabases();
    stack.services().hdfs().forbidProxyUser("hive");
    Deployment connector;
    try {
      connector = deploy(topic);
      awaitRefusal(connector, "Failed to create external path", "Or hadoop.proxyuser.* of");
    } finally {
      stack.services().hdfs().permitProxyUsers();
    }
    awaitComplete(connector, topic, ANY_ROWS);

    int rows = ANY_ROWS;
    for (String root : List.of("/topics", "/logs")) {
      own(root, "hdfs");
      rows = sendMore(topic, rows);
      awaitRefusal(connector, "Permission denied: user=lander", root, "Grant that user access");
      own(root, LANDER);
      awaitComplete(connector, topic, rows);
    }
    own("/ledger", "hdfs");
    superuser.setPermission("/ledger", "700");
    awaitSaid(
        connector,
        "ledger-metrics",
        "Problem",
        List.of("Permission denied: user=lander", "/ledger", "Grant that user access"));
    rows = sendMore(topic, rows);
    awaitOffsets(connector, topic);
    own("/ledger", LANDER);
    superuser.setPermission("/ledger", "755");
    awaitComplete(connector, topic, rows);

    for (DocumentedRight each : DocumentedRight.all()) {
      if (each.principal().equals(DocumentedRight.OWN) && each.resource().equals("the topics")) {
        right(each, topic).takeAway(real);
      }
    }
    rows = sendMore(topic, rows);
    awaitRefusal(
        connector,
        "Allow the principal of the kafka.* settings to DESCRIBE the topic rights_missing");
    for (DocumentedRight each : DocumentedRight.all()) {
      right(each, topic).allow(real);
    }
    awaitComplete(connector, topic, rows);
  }

  /** Ranger's plugins use the same interfaces of name node and Metastore. */
  @Test
  @Tag("long")
  void databaseNeedsARightAndDenialByAPolicyIsARefusalThatEndsWithThePolicy() throws Exception {
    SourceTopic topic = real.topic("rights_policy", 2);
    topic.send(Readings.V1, 0, ANY_ROWS);
    Path policies = stack.services().security().policies();
    try {
      Deployment connector = deploy(topic);
      awaitRefusal(connector, "Failed to create external path", "hides the cause");
      Files.writeString(policies, LANDER + " CREATE_TABLE\n");
      letCreateDatabases();
      awaitRefusal(
          connector, "user [lander] does not have [CREATE_TABLE]", "by a policy where Ranger");
      Files.writeString(policies, LANDER + " /topics/rights_policy\n");
      int rows = sendMore(topic, ANY_ROWS);
      awaitRefusal(
          connector, "Permission denied: user=lander", "add a policy where Ranger decides");
      Files.delete(policies);
      awaitComplete(connector, topic, rows);
    } finally {
      Files.deleteIfExists(policies);
    }
  }

  /** Waits until all records have landed, which they do while the ledger cannot be written. */
  private static void awaitOffsets(Deployment connector, SourceTopic topic) {
    Polling.until(
        "the log has all records",
        RealStack.DEADLINE,
        () -> connector.log(topic).unaccounted(topic::end));
  }

  private static int sendMore(SourceTopic topic, int from) {
    topic.send(Readings.V1, from, from + ANY_ROWS);
    return from + ANY_ROWS;
  }

  /** Waits until the task is refused, not WAITING, with these texts. */
  private static void awaitRefusal(Deployment connector, String... texts) {
    awaitSaid(connector, "task-metrics", "HeldBecause", List.of(texts));
    awaitSaid(connector, "task-metrics", "Health", List.of("REFUSED"));
  }

  private List<List<@Nullable Object>> hive(String sql) throws SQLException {
    return stack.services().hive().clientAs("bob").query(sql);
  }

  private void awaitComplete(Deployment connector, SourceTopic topic, int rows) throws Exception {
    connector.stated().awaitTableThrough(topic.name() + "." + topic.name(), Instant.now());
    connector.stated().awaitManifest(topic, "dt=2026-11-20/hour=23");
    assertThat(hive("SELECT count(*) FROM %1$s.%1$s".formatted(topic.name())))
        .containsExactly(List.of(2L * rows));
  }

  private static void awaitSaid(
      Deployment connector, String type, String attribute, List<String> texts) {
    Polling.until(
        "%s says %s".formatted(attribute, texts),
        RealStack.DEADLINE,
        () -> {
          connector.requireNoFailure();
          List<String> said;
          try {
            said = connector.said(type, attribute);
          } catch (IOException e) {
            return Optional.of(e.toString());
          }
          return said.stream().anyMatch(each -> texts.stream().allMatch(each::contains))
              ? Optional.empty()
              : Optional.of("it says " + said);
        });
  }
}
