package io.tidemark.connect.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.store.commit.KafkaRefusedException;
import io.tidemark.store.commit.KafkaUnavailableException;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.internals.KafkaFutureImpl;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class RenewedAdminTest {
  /** No service listens here. */
  private static final String NOBODY = "localhost:1";

  private static final OwnRight ANY = OwnRight.describeTopic("orders");

  private static final int LOOKED_AT_SECONDS = 5;

  private final List<Admin> made = new ArrayList<>();

  @Test
  void clientThatNobodyAnswersIsMadeAnew() {
    try (RenewedAdmin admin = new RenewedAdmin(this::make, Duration.ZERO)) {
      assertThat(made).hasSize(1);
      assertThatThrownBy(
              () ->
                  admin.ask(
                      client ->
                          RenewedAdmin.await(
                              client.describeCluster().clusterId(), "the cluster id", ANY, 200)))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("the cluster id")
          .hasMessageContaining("kafka.bootstrap.servers");
      assertThat(made).hasSize(2);
    }
  }

  @Test
  void refusalIsAnAnswer() {
    KafkaFutureImpl<String> refused = new KafkaFutureImpl<>();
    refused.completeExceptionally(new TopicAuthorizationException("orders"));
    try (RenewedAdmin admin = new RenewedAdmin(this::make, Duration.ZERO)) {
      assertThatThrownBy(() -> admin.ask(client -> RenewedAdmin.await(refused, "its topics", ANY)))
          .isInstanceOf(KafkaRefusedException.class)
          .hasMessageContaining("its topics")
          .hasMessageEndingWith(
              "Allow the principal of the kafka.* settings to DESCRIBE the topic orders.");
      assertThat(made).hasSize(1);
    }
  }

  @Test
  void failureOfAFormerClientDoesNotEndItsSuccessor() {
    KafkaFuture<String> silent = new KafkaFutureImpl<>();
    try (RenewedAdmin admin = new RenewedAdmin(this::make, Duration.ZERO)) {
      assertThatThrownBy(
              () ->
                  admin.ask(
                      former -> {
                        assertThatThrownBy(
                                () -> admin.ask(same -> RenewedAdmin.await(silent, "that", ANY, 1)))
                            .isInstanceOf(IOException.class);
                        return RenewedAdmin.await(silent, "this", ANY, 1);
                      }))
          .isInstanceOf(IOException.class);
      assertThat(made).hasSize(2);
    }
  }

  /** The worker's name service may be unavailable for a moment, too. */
  @Test
  void clientThatCannotBeMadeAnewLeavesTheFormerOne() {
    KafkaFuture<String> silent = new KafkaFutureImpl<>();
    boolean[] known = {true};
    try (RenewedAdmin admin =
        new RenewedAdmin(
            () ->
                known[0]
                    ? make()
                    : Admin.create(Map.of("bootstrap.servers", "no-such-host.invalid:1")),
            Duration.ZERO)) {
      known[0] = false;
      assertThatThrownBy(() -> admin.ask(client -> RenewedAdmin.await(silent, "that", ANY, 1)))
          .isInstanceOf(KafkaUnavailableException.class)
          .hasMessageContaining("No resolvable bootstrap urls");
      known[0] = true;
      assertThatThrownBy(() -> admin.ask(client -> RenewedAdmin.await(silent, "that", ANY, 1)))
          .isInstanceOf(KafkaUnavailableException.class);
      assertThat(made).hasSize(2);
    }
  }

  @Test
  void outageIsToldInAFewLines(@TempDir Path directory) throws Exception {
    File output = directory.resolve("output").toFile();
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Outage.class.getName())
            .redirectErrorStream(true)
            .redirectOutput(output)
            .start();
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(output)
        .content()
        .contains("could not be established")
        .satisfies(
            text ->
                assertThat(text.lines().filter(line -> line.contains("AdminClient clientId")))
                    .hasSizeLessThan(100));
  }

  /** A process of its own, because the test reads its log. */
  static final class Outage {
    public static void main(String[] none) throws InterruptedException {
      try (RenewedAdmin admin =
          new RenewedAdmin(Map.of("bootstrap.servers", NOBODY), Duration.ZERO)) {
        admin.ask(client -> client.describeCluster().clusterId());
        TimeUnit.SECONDS.sleep(LOOKED_AT_SECONDS);
      } catch (IOException e) {
        throw new AssertionError("nobody was waited for", e);
      }
    }
  }

  private Admin make() {
    Admin admin = Admin.create(Map.of("bootstrap.servers", NOBODY));
    made.add(admin);
    return admin;
  }
}
