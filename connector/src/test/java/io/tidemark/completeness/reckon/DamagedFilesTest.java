package io.tidemark.completeness.reckon;

import static io.tidemark.completeness.reckon.ReckonedWorld.EIGHT;
import static io.tidemark.completeness.reckon.ReckonedWorld.LATENESS;
import static io.tidemark.completeness.reckon.ReckonedWorld.SEVEN;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.completeness.ledger.HoldKind;
import io.tidemark.store.StoragePath;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Clock;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files of logs and tables that cannot be read while the reckoner needs them. */
final class DamagedFilesTest {
  private static final String TABLE = ReckonedWorld.ORDERS.toString();

  private final ReckonedWorld world = new ReckonedWorld();
  private final ReckonedTask task = world.task(0, "id");
  private Reckoner reckoner = world.reckoner("w1");

  private void replace(StoragePath file, byte[] content) throws Exception {
    assertThat(world.storage().delete(file)).isTrue();
    try (OutputStream out = world.storage().create(file)) {
      out.write(content);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void hoursThatWereReadWithoutTheLayoutAreCompleteOnceItIsRestored(boolean restarted)
      throws Exception {
    world.recorded(ReckonedWorld.TABLE, "orders");
    StoragePath layout = ReckonedWorld.TABLE.layout().metadataDirectory().child("layout.json");
    byte[] content;
    try (InputStream in = world.storage().open(layout)) {
      content = in.readAllBytes();
    }
    replace(layout, new byte[] {'x'});
    task.lands(SEVEN.plusSeconds(600), 10);
    world.kafka().set("orders", "id", 10);
    world.run(reckoner, Duration.ofMinutes(5));

    replace(layout, content);
    reckoner = restarted ? world.reckoner("w2") : reckoner;
    world.at(EIGHT.plus(LATENESS));
    world.run(reckoner, Duration.ofMinutes(5));
    task.lands(EIGHT.plusSeconds(600), 10);
    world.kafka().set("orders", "id", 20);
    world.run(reckoner, Duration.ofMinutes(5));
    world.at(EIGHT.plusSeconds(3600).plus(LATENESS));
    world.run(reckoner, Duration.ofHours(1));
    assertThat(world.isShown(SEVEN)).isTrue();
    assertThat(world.isShown(EIGHT)).isTrue();
  }

  @Test
  void ledgerContinuesAfterADamagedCheckpoint() throws Exception {
    for (int each = 0; each < 3; each++) {
      assertThat(task.land(SEVEN.plusSeconds(600), 10)).isNotNull();
    }
    task.fold();
    task.lands(SEVEN.plusSeconds(600), 10);
    world.kafka().set("orders", "id", 40);
    replace(
        ReckonedWorld.LOGS.child("sales/orders/0/%020d.checkpoint.json".formatted(3)),
        new byte[] {'x'});
    world.at(EIGHT.plus(LATENESS));
    world.run(reckoner, Duration.ofMinutes(15));

    assertThat(world.ledger().state().topic("orders").at()).containsKey(0);
  }

  /** No task appends a later entry, so waiting ends nothing. */
  @Test
  void holdOfADeletedTopicIsNamedThoughItsLastEntryIsDamaged() throws Exception {
    task.lands(SEVEN.plusSeconds(600), 10);
    world.kafka().set("orders", "id", 20);
    world.run(reckoner, Duration.ofMinutes(2));
    task.lands(SEVEN.plusSeconds(600), 10);
    replace(ReckonedWorld.LOGS.child("sales/orders/0/%020d.json".formatted(2)), new byte[] {'x'});
    world.run(reckoner, Duration.ofMinutes(2));
    assertThat(world.held(TABLE)).startsWith("DAMAGED orders-0: ");
    world.kafka().remove("orders");
    world.run(reckoner, Duration.ofMinutes(20));
    assertThat(world.held(TABLE)).startsWith("DELETED orders-0").contains("offset 10");

    OperatorRepairs.acknowledge(
        new OperatorRepair(world.ledgerLog("cli"), world.ledgerTables(), Clock.systemUTC()),
        hold -> hold.kind() == HoldKind.DELETED,
        "ann",
        "known");
    world.run(reckoner, Duration.ofMinutes(2));
    assertThat(world.held(TABLE)).isEmpty();
  }
}
