package io.tidemark.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.tidemark.cli.DeployedConnector.Ended;
import io.tidemark.completeness.decide.TopicDescription;
import io.tidemark.completeness.ledger.LogPointer;
import io.tidemark.completeness.reckon.EndOffsets;
import io.tidemark.completeness.reckon.Inbox;
import io.tidemark.completeness.reckon.UnassignedLogs;
import io.tidemark.store.LocalStorage;
import io.tidemark.store.MonotonicClock;
import io.tidemark.store.StoragePath;
import io.tidemark.store.TopicPartition;
import io.tidemark.store.commit.LogOwner;
import io.tidemark.store.publish.Publisher;
import io.tidemark.store.table.StagingDirectories;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The output of {@code tidemark repair} without options: the work that tasks have not finished. */
@SuppressWarnings("NullAway.Init") // JUnit sets the fields.
class PendingWorkTest {
  private final Instant seven =
      Instant.now().truncatedTo(ChronoUnit.HOURS).minus(Duration.ofHours(5));

  @TempDir private Path directory;
  private DeployedConnector connector;
  private LandedOrders orders;

  @BeforeEach
  void deploy() throws Exception {
    connector = new DeployedConnector(directory);
    orders = new LandedOrders(directory, connector);
  }

  @AfterEach
  void stop() {
    connector.close();
  }

  @Test
  void nothingWaitsWhereAllIsPublished() throws Exception {
    orders.land(seven);
    orders.reckon(orders.total(seven, 1));

    Ended ended = orders.run("repair", "--execute");
    assertThat(ended.code()).as(ended.err()).isZero();
    assertThat(ended.out()).contains("Nothing waits");
    assertThat(connector.restarts).isEmpty();
  }

  @Test
  void committedFilesAreSaidAndOnlyExecuteRestartsTheTasks() throws Exception {
    orders.land(seven);
    orders.reckon(orders.total(seven, 1));
    orders.land(seven, false);

    Ended dry = orders.run("repair");
    assertThat(dry.code()).as(dry.err()).isZero();
    assertThat(dry.out())
        .contains(
            "publish orders-0: entry 3 is committed, and 1 of its files", "Nothing was changed");
    assertThat(connector.restarts).isEmpty();

    Ended done = orders.run("repair", "--execute");
    assertThat(done.code()).as(done.err()).isZero();
    assertThat(connector.restarts)
        .containsExactly("POST /connectors/sales/restart?includeTasks=true&onlyFailed=false");
  }

  @Test
  void hivePartitionThatHiveLacksWaits() throws Exception {
    connector.config.put("hive.integration", "true");
    connector.config.put("hive.metastore.uris", "thrift://metastore:9083");
    orders.land(seven);
    orders.reckon(orders.total(seven, 1));
    orders.unseen.add(LandedOrders.hivePartition(seven));

    assertThat(orders.run("repair").out())
        .contains("register orders-0: 1 Hive partitions of default.orders are not in Hive");
  }

  @Test
  void whatAnEarlierClaimStagedIsNamedAndThatOfTheLastOneIsNot() throws Exception {
    orders.claim();
    StagingDirectories staging =
        new StagingDirectories(
            new LocalStorage(directory), "sales", new TopicPartition("orders", 0));
    Path earlier = orders.local(staging.ofClaim(1, UUID.randomUUID()).in(orders.layout));
    Path last = orders.local(staging.ofClaim(2, UUID.randomUUID()).in(orders.layout));
    Files.createDirectories(earlier);
    Files.createDirectories(last);

    assertThat(orders.run("repair").out())
        .contains("remove orders-0", earlier.getFileName().toString())
        .doesNotContain(last.getFileName().toString());
    assertThat(earlier).exists();
  }

  /** Cases in which no task is given a topic-partition that has a log. */
  enum Left {
    TOPIC_DELETED,
    FEWER_TOPIC_PARTITIONS,
    TAKEN_OUT;

    EndOffsets.Answers kafka() {
      Map<String, TopicDescription> topics =
          switch (this) {
            case TOPIC_DELETED -> Map.of();
            case FEWER_TOPIC_PARTITIONS ->
                Map.of("orders", new TopicDescription("later", 1, List.of(1)));
            case TAKEN_OUT -> Map.of("orders", new TopicDescription("t", 2, List.of(1, 2)));
          };
      return new EndOffsets.Answers(
          "cluster", topics, Map.of(), Map.of(), List.of(topics), Set.of(), Set.of());
    }
  }

  @ParameterizedTest
  @EnumSource
  void whatNoTaskIsGivenIsDoneByTheConnectorAsRepairSays(Left left) throws Exception {
    LocalStorage storage = new LocalStorage(directory);
    LandedOrders second = new LandedOrders(directory, connector, 1);
    StagingDirectories staging =
        new StagingDirectories(storage, "sales", new TopicPartition("orders", 1));
    Path earlier = second.local(staging.ofClaim(1, UUID.randomUUID()).in(second.layout));
    Files.createDirectories(earlier);
    second.claim();
    second.land(seven);
    second.reckon(second.total(seven, 1));
    Path staged = second.land(seven, false);
    if (left == Left.TAKEN_OUT) {
      connector.config.put("topics", "payments");
    }

    Ended before = second.run("repair");
    assertThat(before.code()).as(before.err()).isZero();
    assertThat(before.out())
        .contains(
            "publish orders-1: entry 4 is committed, and 1 of its files are not in their table",
            "remove orders-1: ",
            "the restarted tasks do this work for the topic-partitions that they are given",
            "For others, such as those of a deleted topic, the restarted connector publishes,"
                + " registers and accounts; their leftovers stay until a task claims the log"
                + " again.");
    assertThat(second.run("repair", "--execute").code()).isZero();
    assertThat(connector.restarts).hasSize(1);

    Inbox inbox = new Inbox(storage, connector.folders, 100, 1 << 20);
    restartedConnectorSettles(storage, inbox, left);
    assertThat(staged).doesNotExist();
    try (var files = Files.list(second.local(seven))) {
      assertThat(files.filter(each -> each.toString().endsWith(".avro"))).hasSize(2);
    }
    assertThat(inbox.look().accounts())
        .flatExtracting(received -> received.account().logs())
        .extracting(LogPointer::topicPartition, LogPointer::number)
        .contains(tuple(1, 4L));
    assertThat(second.run("repair").out())
        .contains("remove orders-1: ", earlier.getFileName().toString())
        .doesNotContain("publish orders-1");
  }

  private void restartedConnectorSettles(LocalStorage storage, Inbox inbox, Left left)
      throws Exception {
    EndOffsets kafka =
        new EndOffsets() {
          @Override
          public Answers ask(Collection<String> topics, boolean agreed) {
            return left.kafka();
          }

          @Override
          public void close() {}
        };
    UnassignedLogs logs =
        new UnassignedLogs(
            new UnassignedLogs.Services(
                storage,
                new StoragePath("/logs"),
                new LogOwner("sales", "sales"),
                kafka,
                topic -> topic.equals(connector.config.get("topics")),
                new Publisher(storage),
                Optional.empty(),
                Optional.of(
                    new UnassignedLogs.Accounting(connector.log, inbox, Clock.systemUTC()))),
            MonotonicClock.system());
    assertThat(logs.look()).isPositive();
  }

  @Test
  void pausedConnectorMustBeResumed() throws Exception {
    orders.land(seven, false);
    connector.state = "PAUSED";

    Ended ended = orders.run("repair", "--execute");
    assertThat(ended.code()).isEqualTo(2);
    assertThat(ended.err()).contains("PUT /connectors/sales/resume");
    assertThat(connector.restarts).isEmpty();
  }
}
