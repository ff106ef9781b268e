package io.tidemark.connect.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.registry.RegistryUnavailableException;
import io.tidemark.store.StoreRefusedException;
import io.tidemark.store.StoreRefusedException.Reason;
import io.tidemark.store.TopicPartition;
import io.tidemark.store.commit.KafkaRefusedException;
import io.tidemark.store.commit.KafkaUnavailableException;
import io.tidemark.store.table.CatalogUnavailableException;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.nio.channels.UnresolvedAddressException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.SSLHandshakeException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.errors.SaslAuthenticationException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.helpers.MessageFormatter;

/** The health reports of a task that waits. */
final class TaskHealthTest {
  private static final Clock WALL =
      Clock.fixed(Instant.parse("2026-11-21T07:00:00.123Z"), ZoneOffset.UTC);
  private static final String NAME_NODE = "hdfs://nn:8020";
  private static final String OUTAGE =
      "the store (store.url hdfs://nn:8020) since 2026-11-21T07:00:00Z: Connection refused. Check"
          + " that the service runs and that store.url is correct. The task retries.";

  private long nowMs = 1_000_000;
  private final List<String> lines = new ArrayList<>();
  private final Waits waits =
      new Waits(
          Map.of(
              Service.STORE, NAME_NODE,
              Service.KAFKA, "kafka:9092",
              Service.SCHEMA_REGISTRY, "http://registry:8081",
              Service.METASTORE, "thrift://hive:9083"),
          () -> nowMs,
          WALL);
  private final ServiceCalls storeCalls = new ServiceCalls(Service.STORE, NAME_NODE, () -> nowMs);
  private final TaskHealth health =
      new TaskHealth(waits, List.of(storeCalls), () -> nowMs, WALL, log());

  @Test
  void taskThatWaitsForNothingWorks() {
    health.look();
    assertThat(health.state()).isEqualTo(HealthState.WORKING);
    assertThat(health.because()).isEmpty();
    assertThat(lines).isEmpty();
  }

  @Test
  void serviceThatIsAwayIsNamedWithAddressCauseTimeAndCure() {
    waits.failed(this, "orders-7", new IOException("Connection refused"));
    health.look();
    assertThat(health.state()).isEqualTo(HealthState.WAITING);
    assertThat(health.because()).isEqualTo(OUTAGE);
    assertThat(waits.failures(Service.STORE)).isEqualTo(1);
    waits.over(this);
    health.look();
    assertThat(health.state()).isEqualTo(HealthState.WORKING);
  }

  /** A failed step of opening, reading or staging is repeated as a new step. */
  @Test
  void whatAServiceSaidLastIsShownWithTheTimeOfTheFirstFailure() {
    Instant first = Instant.parse("2026-11-21T07:00:00Z");
    AtomicReference<Instant> time = new AtomicReference<>(first);
    InstantSource moves = time::get;
    Clock wall = moves.withZone(ZoneOffset.UTC);
    Waits moving = new Waits(Map.of(Service.STORE, NAME_NODE), () -> nowMs, wall);
    moving.failed("staging", "orders-7", new IOException("Broken pipe"));
    time.set(first.plusSeconds(60));
    moving.failed("opening", "orders-7", new IOException("Connection refused"));
    TaskHealth of = new TaskHealth(moving, List.of(storeCalls), () -> nowMs, wall, log());
    of.look();
    assertThat(of.because()).isEqualTo(OUTAGE);
  }

  @Test
  void outageIsOneLineEachFiveMinutesAndOneAtItsEnd() {
    for (int each = 0; each < 5; each++) {
      waits.failed(each, "orders-" + each, new IOException("Connection refused"));
    }
    lookFor(600);
    assertThat(lines)
        .containsExactly(
            "WARN waiting for " + OUTAGE + " Waits: orders-0, orders-1, orders-2 and 2 more",
            "WARN waiting for " + OUTAGE + " Waits: orders-0, orders-1, orders-2 and 2 more");
    lines.clear();
    for (int each = 0; each < 5; each++) {
      waits.over(each);
    }
    lookFor(600);
    assertThat(lines)
        .containsExactly(
            "INFO the wait for the store (store.url hdfs://nn:8020) has ended after 600 s");
  }

  @Test
  void outageOfAMomentIsNoLine() {
    waits.failed(this, "orders-7", new IOException("Connection refused"));
    lookFor(4);
    waits.over(this);
    lookFor(60);
    assertThat(lines).isEmpty();
  }

  @Test
  void momentBetweenTwoFailuresEndsNothing() {
    for (int each = 0; each < 100; each++) {
      waits.failed(this, "orders-7", new IOException("Connection refused"));
      lookFor(1);
      waits.over(this);
      health.look();
    }
    assertThat(lines).hasSize(1);
  }

  @Test
  void refusalIsToldAtOnceThoughAnOutageWasTold() {
    waits.failed(this, "orders-7", new IOException("Connection refused"));
    lookFor(10);
    waits.failed(1, "orders-1", new StoreRefusedException(Reason.QUOTA, "full", "Raise it.", null));
    lookFor(10);
    assertThat(lines).hasSize(2);
    assertThat(lines.get(1))
        .isEqualTo(
            "WARN refused by the store (store.url hdfs://nn:8020) since 2026-11-21T07:00:00Z: full."
                + " Raise it. Waits: orders-1, orders-7");
    assertThat(waits.refusals(Service.STORE, Refusal.QUOTA)).isEqualTo(1);
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
    assertRefused(
        new StoreRefusedException(Reason.QUOTA, "no quota left", "Raise it.", null),
        Refusal.QUOTA,
        "Raise it.");
    assertRefused(
        new StoreRefusedException(Reason.ACCESS, "Permission denied", "Let it.", null),
        Refusal.ACCESS,
        "Let it.");
    assertRefused(
        new IOException("Invalid host name", new UnknownHostException("nn")),
        Refusal.ADDRESS,
        "host in store.url");
    assertRefused(
        new KafkaRefusedException("no end offset", "Allow it to READ.", null),
        Refusal.ACCESS,
        "Allow it to READ.");
    assertRefused(
        new KafkaUnavailableException("no end offset", new TopicAuthorizationException("no")),
        Refusal.ACCESS,
        "docs/OPERATIONS.md lists the rights");
    assertRefused(
        new KafkaUnavailableException("no end offset", new SaslAuthenticationException("no")),
        Refusal.LOGIN,
        "kafka.sasl.*");
    assertRefused(
        new KafkaUnavailableException(
            "no client", new KafkaException(new ConfigException("No resolvable bootstrap urls"))),
        Refusal.ADDRESS,
        "host in kafka.bootstrap.servers");
    assertRefused(
        new CatalogUnavailableException(
            "not done", new IllegalStateException("Permission denied: user=connect")),
        Refusal.ACCESS,
        "Metastore's message");
  }

  @Test
  void registryThatAnswersOtherwiseIsRefusedAndOneThatIsBusyIsNot() {
    assertRefused(
        new RegistryUnavailableException("forbidden", 403, null), Refusal.ACCESS, "credentials");
    assertRefused(new RegistryUnavailableException("who", 401, null), Refusal.LOGIN, "credentials");
    assertRefused(
        new RegistryUnavailableException("no such page", 404, null),
        Refusal.ADDRESS,
        "Correct schema.registry.url");
    ConnectException unresolved = new ConnectException();
    unresolved.initCause(new UnresolvedAddressException());
    assertRefused(
        new RegistryUnavailableException("its host name is unknown", unresolved),
        Refusal.ADDRESS,
        "host in schema.registry.url");
    assertRefused(
        new RegistryUnavailableException("over TLS", new SSLHandshakeException("untrusted")),
        Refusal.LOGIN,
        "schema.registry.ssl.*");
    assertThat(waitFor(new RegistryUnavailableException("busy", 503, null)).refused()).isFalse();
    assertThat(waitFor(new RegistryUnavailableException("busy", 429, null)).refused()).isFalse();
    assertThat(
            waitFor(new RegistryUnavailableException("nothing there", new ConnectException()))
                .refused())
        .isFalse();
  }

  @Test
  void safeModeIsAnOutageInOneLine() {
    Wait wait =
        waitFor(new IOException("Name node is in safe mode.\nIt was turned on.\n\tat org.apache"));
    assertThat(wait.refused()).isFalse();
    assertThat(wait.diagnosis().cause()).isEqualTo("Name node is in safe mode.");
    assertThat(wait.diagnosis().cure())
        .contains("until data nodes have reported enough blocks")
        .endsWith("The task retries.")
        .doesNotContain("store.url");
  }

  @Test
  void refusalThatIsRepeatedBeyondTheDeadlineIsTold() {
    Duration deadline = Duration.ofMinutes(1);
    refuseOnce();
    nowMs += 59_000;
    refuseOnce();
    assertThat(health.refusedBeyond(deadline)).isEmpty();
    nowMs += 2_000;
    health.look();
    assertThat(health.refusedBeyond(deadline)).as("nobody was refused again").isEmpty();
    refuseOnce();
    assertThat(health.refusedBeyond(deadline)).isPresent();
    assertThat(health.refusedBeyond(Duration.ZERO)).isEmpty();
  }

  @Test
  void outageNeverBecomesARefusal() {
    waits.failed(this, "orders-7", new IOException("Connection refused"));
    health.look();
    nowMs += 3_600_000;
    waits.failed(this, "orders-7", new IOException("Connection refused"));
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
      assertThat(health.because())
          .contains("since 2026-11-21T06:59:50Z: no answer (close a file) for 10 s");
      call.answer();
    }
    health.look();
    assertThat(health.state()).isEqualTo(HealthState.WORKING);
    assertThat(storeCalls.answered()).isEqualTo(1);
    assertThat(storeCalls.failed()).isZero();
  }

  @Test
  void topicPartitionWaitsForWhatItselfItsTopicAndTheTaskWaitFor() {
    waits.failed(1, "orders-1", new IOException("Connection refused"));
    waits.failed(2, "orders-2", new StoreRefusedException(Reason.QUOTA, "full", "Raise it.", null));
    waits.failed(3, "quotes", new RegistryUnavailableException("busy", 503, null));
    health.look();
    assertThat(TaskHealth.state(health.foundOf(new TopicPartition("orders", 1))))
        .isEqualTo(HealthState.WAITING);
    assertThat(TaskHealth.state(health.foundOf(new TopicPartition("orders", 2))))
        .isEqualTo(HealthState.REFUSED);
    assertThat(TaskHealth.state(health.foundOf(new TopicPartition("orders", 3))))
        .isEqualTo(HealthState.WORKING);
    assertThat(TaskHealth.because(health.foundOf(new TopicPartition("quotes", 0))))
        .contains("registry");
    waits.failed(4, "", new KafkaUnavailableException("no answer"));
    health.look();
    assertThat(TaskHealth.because(health.foundOf(new TopicPartition("orders", 3))))
        .contains("Kafka");
  }

  private void refuseOnce() {
    waits.failed(
        this,
        "orders-7",
        new StoreRefusedException(Reason.QUOTA, "no quota left", "Raise it.", null));
    health.look();
  }

  private void lookFor(int seconds) {
    for (int each = 0; each < 10 * seconds; each++) {
      health.look();
      nowMs += 100;
    }
  }

  private void assertRefused(Exception failure, Refusal refusal, String cure) {
    Wait wait = waitFor(failure);
    assertThat(wait.diagnosis().refusal()).as(failure.toString()).contains(refusal);
    assertThat(wait.diagnosis().cure()).contains(cure);
  }

  private Wait waitFor(Exception failure) {
    Object step = new Object();
    waits.failed(step, "", failure);
    Wait wait = waits.all().iterator().next();
    waits.over(step);
    return wait;
  }

  /** Keeps the lines of the log. */
  private Logger log() {
    return (Logger)
        Proxy.newProxyInstance(
            Logger.class.getClassLoader(),
            new Class<?>[] {Logger.class},
            (proxy, method, arguments) -> {
              Object[] values =
                  arguments[1] instanceof Object[] all
                      ? all
                      : Arrays.copyOfRange(arguments, 1, arguments.length);
              String line =
                  MessageFormatter.arrayFormat((String) arguments[0], values).getMessage();
              lines.add(method.getName().toUpperCase(Locale.ROOT) + " " + line);
              return null;
            });
  }
}
