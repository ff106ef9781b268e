package io.tidemark.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.cli.DeployedConnector.Ended;
import io.tidemark.store.LocalStorage;
import io.tidemark.store.TopicPartition;
import io.tidemark.store.table.StagingDirectories;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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
