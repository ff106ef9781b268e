package io.tidemark.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.connect.config.ConnectorConfig;
import io.tidemark.store.LocalStorage;
import io.tidemark.store.StoragePath;
import io.tidemark.store.TopicPartition;
import io.tidemark.store.commit.Claimant;
import io.tidemark.store.commit.CommitLog;
import io.tidemark.store.commit.OwnedLog;
import io.tidemark.store.commit.TopicIdentity;
import io.tidemark.store.log.OperatorConsent;
import io.tidemark.store.table.LogTables;
import io.tidemark.store.table.StagingDirectories;
import io.tidemark.store.table.TableLayout;
import io.tidemark.store.table.TableName;
import java.nio.file.Path;
import java.time.Clock;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import org.apache.kafka.connect.errors.ConnectException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TidemarkSinkConnectorTest {
  private static final TopicPartition QUOTES = new TopicPartition("quotes", 0);
  private static final StoragePath LOGS = new StoragePath("/logs");

  @TempDir Path store;

  /** The entry of an altered offset would take the number of a missing entry. */
  @Test
  void alteredOffsetHidesNoOlderLogFromTheTableThatShowsIt() throws Exception {
    try (LocalStorage storage = new LocalStorage(store)) {
      CommitLog log = restoredLog(storage);
      new StagingDirectories(storage, "quotes", QUOTES)
          .ofClaim(2, new UUID(0, 2))
          .createIn(new TableLayout(new StoragePath("/topics/quotes")));

      assertRefused("/topics/quotes/.staging shows that it had entry 2");
      assertThat(log.after(1)).isEmpty();
    }
  }

  @Test
  void alteredOffsetHidesNoOlderLogFromAFormerRootOfTheTable() throws Exception {
    try (LocalStorage storage = new LocalStorage(store)) {
      restoredLog(storage);
      TableLayout former = new TableLayout(new StoragePath("/former/quotes"));
      new LogTables(storage, LOGS.child("quotes"))
          .add(new TableName("default", "quotes"), former, "quotes");
      new StagingDirectories(storage, "quotes", QUOTES).ofClaim(2, new UUID(0, 2)).createIn(former);

      assertRefused("/former/quotes/.staging shows that it had entry 2");
    }
  }

  /** Connect would accept it, and nothing would happen. */
  @ParameterizedTest
  @ValueSource(strings = {"orders", "Quotes", "", "..", "../../topics", "no/topic", "a b"})
  void offsetOfATopicThatTheConnectorDoesNotReadIsRefused(String topic) {
    Map<org.apache.kafka.common.TopicPartition, @Nullable Long> offsets = new HashMap<>();
    offsets.put(new org.apache.kafka.common.TopicPartition(topic, 0), 1L);
    assertThatThrownBy(() -> new TidemarkSinkConnector().alterOffsets(settings(), offsets))
        .isInstanceOf(ConnectException.class)
        .hasMessage(
            topic
                + "-0: the connector does not read this topic, so its offset cannot be altered. Correct kafka_topic in the request, or first add the topic to the configuration.");
  }

  /** Creates a log of one claim. */
  private static CommitLog restoredLog(LocalStorage storage) throws Exception {
    CommitLog log = CommitLog.of(storage, LOGS, "quotes", QUOTES);
    OwnedLog owned =
        OwnedLog.claim(
            log,
            () -> new TopicIdentity("cluster", "topic"),
            new Claimant("quotes", 0, "worker"),
            OperatorConsent.NONE,
            Clock.systemUTC());
    assertThat(owned.number()).isEqualTo(1);
    return log;
  }

  private void assertRefused(String reason) {
    Map<org.apache.kafka.common.TopicPartition, @Nullable Long> offsets = new HashMap<>();
    offsets.put(new org.apache.kafka.common.TopicPartition("quotes", 0), 100L);
    assertThatThrownBy(() -> new TidemarkSinkConnector().alterOffsets(settings(), offsets))
        .isInstanceOf(ConnectException.class)
        .hasMessageContaining("quotes-0: the offset cannot be altered")
        .hasMessageContaining("the log ends at entry 1, but " + reason)
        .hasMessageContaining("Start the connector, do what the error of its task says");
  }

  private Map<String, String> settings() {
    return Map.of(
        "name", "quotes",
        "connector.class", "io.tidemark.connect.TidemarkSinkConnector",
        "value.converter", ConnectorConfig.BYTE_ARRAY_CONVERTER,
        "consumer.override.isolation.level", "read_committed",
        "kafka.bootstrap.servers", "127.0.0.1:9",
        "schema.registry.url", "http://registry:8081",
        "topics", "quotes",
        "store.url", store.toUri().toString());
  }
}
