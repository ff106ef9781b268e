package io.tidemark.connect.it.hadoop;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.connect.it.landed.LandedLog;
import io.tidemark.connect.it.landed.LandedTable;
import io.tidemark.connect.it.stack.ConnectorSettings;
import io.tidemark.connect.it.stack.Deployment;
import io.tidemark.connect.it.stack.Readings;
import io.tidemark.connect.it.stack.RealStack;
import io.tidemark.connect.it.stack.SourceTopic;
import io.tidemark.connect.it.stack.SteadyLoad;
import io.tidemark.stack.Kdc;
import io.tidemark.stack.Polling;
import io.tidemark.stack.SecuredConnector;
import io.tidemark.stack.SecurityOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.RemoteIterator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Connectors land by Kerberos in one worker, whose Kafka clients log in as another principal, and
 * continue by themselves after every outage of a login.
 */
@OnSecuredStack
final class KerberosLandingIT {
  private static final Duration DEADLINE = Duration.ofMinutes(3);

  /** Short, so that two lifetimes pass within the test. */
  private static final Duration LIFE = Duration.ofSeconds(20);

  private final SecuredStack stack;
  private final RealStack real;

  KerberosLandingIT(SecuredStack stack) throws IOException {
    this.stack = stack;
    this.real = stack.landing();
  }

  @AfterEach
  void deleteConnectors() {
    real.endTest();
  }

  private ConnectorSettings settings(String name, SourceTopic topic) {
    ConnectorSettings settings =
        ConnectorSettings.of(name, topic)
            .with("completeness.enabled", "false")
            .with("log.retained.entries", "10000"); // the test compares all entries with the files
    return withKafkaClients(SecurityOptions.CONNECT, settings);
  }

  /** The connector's own Kafka clients log in as a principal. */
  private ConnectorSettings withKafkaClients(String principal, ConnectorSettings before) {
    ConnectorSettings settings = before;
    Map<String, String> kafka = stack.services().kafka().clientSettings(principal);
    for (Map.Entry<String, String> each : kafka.entrySet()) {
      settings = settings.with("kafka." + each.getKey(), each.getValue());
    }
    return settings;
  }

  /** The settings of a connector that logs in to HDFS and the Metastore as a principal. */
  private ConnectorSettings settingsOf(String principal, SourceTopic topic) {
    ConnectorSettings settings = settings(topic.name(), topic);
    for (Map.Entry<String, String> each :
        SecuredConnector.settings(stack.services(), principal).entrySet()) {
      settings = settings.with(each.getKey(), each.getValue());
    }
    return settings;
  }

  @Test
  void twoPrincipalsAndAConnectorWithoutALoginLandInOneWorker() throws Exception {
    RealStack other = real.withOtherHdfs();
    SourceTopic ofAlice = real.topic("kerberos-alice", 2);
    SourceTopic ofBob = real.topic("kerberos-bob", 2);
    SourceTopic ofNobody = real.topic("kerberos-none", 2);
    Deployment alice = real.deploy(settingsOf("alice", ofAlice));
    Deployment simple =
        real.deploy(
            settings(ofNobody.name(), ofNobody)
                .with("store.url", other.services().hdfs().uri().toString())
                .with("hive.integration", "false"));
    Deployment bob = real.deploy(withKafkaClients("bob", settingsOf("bob", ofBob)));
    for (SourceTopic topic : List.of(ofAlice, ofBob, ofNobody)) {
      topic.send(Readings.V1, 0, 500);
    }

    alice.landsExactly();
    bob.landsExactly();
    assertThat(owners("/topics/" + ofAlice.name())).containsExactly("alice");
    assertThat(owners("/topics/" + ofBob.name())).containsExactly("bob");
    LandedLog log = new LandedLog(other.services(), simple.name(), ofNobody.name(), 2);
    Polling.until(
        "the connector without a login has landed everything",
        DEADLINE,
        () -> {
          simple.requireNoFailure();
          return log.unaccounted(ofNobody::end);
        });
    assertThat(new LandedTable(other.services(), ofNobody.name()).keysInFiles())
        .containsExactlyInAnyOrderElementsOf(ofNobody.produced());
  }

  private Set<String> owners(String directory) throws Exception {
    Set<String> owners = new TreeSet<>();
    try (FileSystem files = stack.fileSystemOf(stack.login("carol"), stack.configuration())) {
      RemoteIterator<LocatedFileStatus> all =
          files.listFiles(new org.apache.hadoop.fs.Path(directory), true);
      while (all.hasNext()) {
        owners.add(all.next().getOwner());
      }
    }
    return owners;
  }

  @Test
  @Tag("long")
  void landingGoesOnAfterEachOutageOfTheLogin() throws Exception {
    Kdc kdc = stack.kdcWithOutages();
    kdc.add("outages");
    kdc.limitTicketLife("outages", LIFE);
    SourceTopic topic = real.topic("kerberos-outages", 2);
    Deployment connector = real.deploy(settingsOf("outages", topic));
    SteadyLoad load = new SteadyLoad(topic);
    load.begin();
    try {
      works(connector);
      lasts(LIFE.multipliedBy(2)); // outlives its tickets

      kdc.stop();
      waits(connector, "the login of outages@TIDEMARK.TEST", "Check the KDC");
      lasts(LIFE);
      kdc.ensureStarted();
      works(connector);

      kdc.changeKey("outages");
      waits(connector, "Checksum failed", "Export a new keytab to every worker");
      kdc.exportKeytab("outages");
      works(connector);

      Path keytab = kdc.realm().keytab("outages");
      Path away = keytab.resolveSibling("away");
      Files.move(keytab, away);
      waits(connector, keytab + " is not a file that the user", "Put the keytab there");
      Files.move(away, keytab);
      works(connector);

      kdc.remove("outages");
      waits(connector, "Client not found in Kerberos database", "or create it");
      Files.delete(keytab); // a new principal counts the versions of its key from 1 again
      kdc.add("outages");
      works(connector);
    } finally {
      kdc.ensureStarted();
      load.end();
    }
    connector.landsExactly();
  }

  @Test
  @Tag("long")
  void ticketsOfOneMinuteAreOutlivedForTenMinutes() throws Exception {
    Kdc kdc = stack.kdcWithOutages();
    kdc.add("minutes");
    kdc.limitTicketLife("minutes", Duration.ofMinutes(1));
    SourceTopic topic = real.topic("kerberos-minutes", 2);
    Deployment connector = real.deploy(settingsOf("minutes", topic));
    SteadyLoad load = new SteadyLoad(topic);
    load.begin();
    try {
      lasts(Duration.ofMinutes(10));
    } finally {
      load.end();
    }
    connector.landsExactly();
    assertThat(connector.logged()).noneMatch(line -> line.contains("waiting for"));
  }

  /** Returns when the task waits with this cause and cure. */
  private static void waits(Deployment connector, String cause, String cure) {
    Polling.until(
        connector.name() + " waits: " + cause,
        DEADLINE,
        () -> {
          connector.requireNoFailure();
          List<String> reasons = said(connector, "HeldBecause");
          return reasons.stream().anyMatch(text -> text.contains(cause) && text.contains(cure))
              ? Optional.empty()
              : Optional.of("it says " + reasons);
        });
  }

  /** Returns when the task waits for records only. */
  private static void works(Deployment connector) {
    Polling.until(
        connector.name() + " works",
        DEADLINE,
        () -> {
          connector.requireNoFailure();
          List<String> states = said(connector, "Health");
          return states.equals(List.of("WORKING"))
              ? Optional.empty()
              : Optional.of("it says " + states + ": " + said(connector, "HeldBecause"));
        });
  }

  private static List<String> said(Deployment connector, String attribute) {
    try {
      return connector.said("task-metrics", attribute);
    } catch (IOException e) {
      return List.of(e.toString());
    }
  }

  private static void lasts(Duration time) throws InterruptedException {
    Thread.sleep(time.toMillis());
  }
}
