package io.tidemark.connect.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.connect.commit.KafkaUnavailableException;
import io.tidemark.connect.storage.StoreRefusedException;
import io.tidemark.connect.table.CatalogUnavailableException;
import io.tidemark.registry.RegistryUnavailableException;
import java.io.IOException;
import java.net.UnknownHostException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.errors.SaslAuthenticationException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.junit.jupiter.api.Test;

/** What an operator is told while a task waits. */
class TaskHealthTest {
  private static final Clock WALL =
      Clock.fixed(Instant.parse("2026-11-21T07:00:00Z"), ZoneOffset.UTC);
  private static final String NAME_NODE = "hdfs://nn:8020";

  private long nowMs = 1_000_000;
  private final Waits waits =
      new Waits(
          Map.of(
              Service.STORE, NAME_NODE,
              Service.KAFKA, "kafka:9092",
              Service.SCHEMA_REGISTRY, "http://registry:8081",
              Service.METASTORE, "thrift://hive:9083"),
          WALL);
  private final ServiceCalls storeCalls = new ServiceCalls(Service.STORE, NAME_NODE, () -> nowMs);
  private final TaskHealth health = new TaskHealth(waits, List.of(storeCalls), () -> nowMs, WALL);

  @Test
  void taskThatWaitsForNothingWorks() {
    health.look();
    assertThat(health.state()).isEqualTo(HealthState.WORKING);
    assertThat(health.because()).isEmpty();
  }

  @Test
  void serviceThatIsAwayIsNamedWithAddressCauseTimeAndCure() {
    waits.failed(this, "orders-7", new IOException("Connection refused"));
    health.look();
    assertThat(health.state()).isEqualTo(HealthState.WAITING);
    assertThat(health.because())
        .isEqualTo(
            "the store (store.url hdfs://nn:8020) since 2026-11-21T07:00:00Z: Connection refused."
                + " Look whether it runs and whether store.url is right; the task tries again by"
                + " itself.");
    waits.over(this);
    health.look();
    assertThat(health.state()).isEqualTo(HealthState.WORKING);
  }

  @Test
  void failureIsItsServices() {
    assertThat(waitFor(new KafkaUnavailableException("no answer")).service())
        .isEqualTo(Service.KAFKA);
    assertThat(waitFor(new RegistryUnavailableException("away", null)).service())
        .isEqualTo(Service.SCHEMA_REGISTRY);
    assertThat(waitFor(new CatalogUnavailableException("away", new IOException())).service())
        .isEqualTo(Service.METASTORE);
    assertThat(waitFor(new IOException("away")).service()).isEqualTo(Service.STORE);
  }

  @Test
  void whatDoesNotPassByItselfIsRefused() {
    assertRefused(new StoreRefusedException("no quota left", "Raise it.", null), "Raise it.");
    assertRefused(
        new IOException("Invalid host name", new UnknownHostException("nn")), "host in store.url");
    assertRefused(
        new KafkaUnavailableException("no end offset", new TopicAuthorizationException("no")),
        "Grant it");
    assertRefused(
        new KafkaUnavailableException("no end offset", new SaslAuthenticationException("no")),
        "kafka.sasl.*");
    assertRefused(new RegistryUnavailableException("forbidden", 403, null), "credentials");
    assertThat(waitFor(new RegistryUnavailableException("busy", 503, null)).refused()).isFalse();
  }

  @Test
  void refusalThatLastsBeyondTheDeadlineIsTold() {
    waits.failed(this, "orders-7", new StoreRefusedException("no quota left", "Raise it.", null));
    Duration deadline = Duration.ofMinutes(1);
    health.look();
    nowMs += 59_000;
    health.look();
    assertThat(health.refusedBeyond(deadline)).isEmpty();
    nowMs += 1_000;
    health.look();
    assertThat(health.refusedBeyond(deadline)).isPresent();
    assertThat(health.refusedBeyond(Duration.ZERO)).isEmpty();
  }

  @Test
  void outageNeverBecomesARefusal() {
    waits.failed(this, "orders-7", new IOException("Connection refused"));
    health.look();
    nowMs += 3_600_000;
    health.look();
    assertThat(health.refusedBeyond(Duration.ofSeconds(1))).isEmpty();
  }

  @Test
  void callThatIsNotAnsweredIsAnOutageBeforeItFails() {
    try (ServiceCalls.Call call = storeCalls.begin("close a file")) {
      nowMs += TaskHealth.SILENT_MS - 1;
      health.look();
      assertThat(health.state()).isEqualTo(HealthState.WORKING);
      nowMs += 1;
      health.look();
      assertThat(health.state()).isEqualTo(HealthState.WAITING);
      assertThat(health.because()).contains("it has not answered (close a file) for 10 s");
      call.answer();
    }
    health.look();
    assertThat(health.state()).isEqualTo(HealthState.WORKING);
    assertThat(storeCalls.answered()).isEqualTo(1);
    assertThat(storeCalls.failed()).isZero();
  }

  private void assertRefused(Exception failure, String cure) {
    Wait wait = waitFor(failure);
    assertThat(wait.refused()).isTrue();
    assertThat(wait.cure()).contains(cure);
  }

  private Wait waitFor(Exception failure) {
    Object step = new Object();
    waits.failed(step, "", failure);
    Wait wait = waits.all().iterator().next();
    waits.over(step);
    return wait;
  }
}
