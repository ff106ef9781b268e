package io.tidemark.connect.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.connect.it.landed.RowKey;
import io.tidemark.connect.it.stack.ConnectorSettings;
import io.tidemark.connect.it.stack.Deployment;
import io.tidemark.connect.it.stack.OnSharedStack;
import io.tidemark.connect.it.stack.Readings;
import io.tidemark.connect.it.stack.RealStack;
import io.tidemark.connect.it.stack.SourceTopic;
import io.tidemark.stack.ConnectRequestException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@OnSharedStack
final class BadRecordsIT {

  private static final int UNKNOWN_ID = 7_654_321;

  /** A record that cannot land, and the problem, cause and cure in its task's error. */
  enum BadRecord {
    CORRUPT(
        "field \"celsius\": union index",
        "The producer wrote it with another schema, or the bytes were damaged",
        "Correct the producer"),
    TRUNCATED(
        "the datum does not match schema id",
        "The producer wrote it with another schema, or the bytes were damaged",
        "Correct the producer"),
    UNFRAMED(
        "no schema id at the start of a value of 9 bytes",
        "The value looks like JSON",
        "Configure the producer"),
    UNKNOWN_SCHEMA(
        "schema id " + UNKNOWN_ID + " is unknown to http://",
        "The producer used another registry",
        "Check schema.registry.url"),
    TOMBSTONE(
        "the record has no value (a tombstone)",
        "The topic is compacted, or the producer deletes by key",
        "move the connector's offset past this record");

    final String problem;
    final String cause;
    final String cure;

    BadRecord(String problem, String cause, String cure) {
      this.problem = problem;
      this.cause = cause;
      this.cure = cure;
    }

    byte @Nullable [] value(int schemaId) {
      byte[] good = Readings.framed(schemaId, Readings.reading(Readings.V1, new RowKey(1, 300)));
      return switch (this) {
        case CORRUPT -> {
          // After the framing: source, seq and taken.
          int unionIndex = 5 + 1 + 2 + 6;
          good[unionIndex] = 14;
          yield good;
        }
        case TRUNCATED -> Arrays.copyOf(good, good.length - 7);
        case UNFRAMED -> "{\"seq\":1}".getBytes(StandardCharsets.UTF_8);
        case UNKNOWN_SCHEMA ->
            Readings.framed(UNKNOWN_ID, Readings.reading(Readings.V1, new RowKey(1, 300)));
        case TOMBSTONE -> null;
      };
    }
  }

  @ParameterizedTest
  @EnumSource
  void stopsItsTaskAndIsNotLanded(BadRecord bad, RealStack stack) {
    String name = "bad-" + bad.name().toLowerCase(Locale.ROOT).replace('_', '-');
    SourceTopic topic = stack.topic(name, 2);
    topic.send(0, Readings.V1, 0, 500);
    Deployment connector =
        stack.deploy(ConnectorSettings.of(name, topic).with("on.refusal", "stop-task"));
    connector.awaitLanded();
    List<RowKey> landedBefore = topic.produced();

    // The batch is open while the good records before the bad one still wait.
    topic.send(1, Readings.V1, 0, 300);
    long offset = topic.sendRaw(1, bad.value(stack.register(name, Readings.V1)));
    topic.send(1, Readings.V1, 301, 600);

    String trace = connector.awaitFailure();
    assertThat(trace).contains(name + "-1@" + offset + ": ", bad.problem, bad.cause, bad.cure);
    connector.stop();
    List<RowKey> landed = connector.table(topic).keysInFiles();
    assertThat(landed).as("what was committed before stays").containsAll(landedBefore);
    assertThat(landed)
        .as("nothing from the bad record on is landed")
        .noneMatch(key -> key.source() == 1 && key.seq() >= offset);
    assertThat(landed).doesNotHaveDuplicates();
    assertThat(connector.log(topic).next(1)).isLessThanOrEqualTo(offset);
    assertThat(connector.table(topic).staged()).isEmpty();
  }

  @Test
  void converterOfTheWorkerIsNotTrusted(RealStack stack) {
    SourceTopic topic = stack.topic("decoded", 1);
    topic.send(Readings.V1, 0, 1);
    // No converter is configured, and the worker's default is the StringConverter.
    ConnectorSettings settings = ConnectorSettings.of("decoded", topic).with("value.converter", "");

    assertThatThrownBy(() -> stack.connect().configure(settings.name(), settings.on(stack)))
        .isInstanceOf(ConnectRequestException.class)
        .hasMessageContaining("answers 400")
        .hasMessageContaining(
            "value.converter=org.apache.kafka.connect.converters.ByteArrayConverter");
  }
}
