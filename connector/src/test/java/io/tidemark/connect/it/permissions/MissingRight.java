package io.tidemark.connect.it.permissions;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.connect.it.landed.RowDifference;
import io.tidemark.connect.it.stack.ConnectorSettings;
import io.tidemark.connect.it.stack.Deployment;
import io.tidemark.connect.it.stack.Readings;
import io.tidemark.connect.it.stack.RealStack;
import io.tidemark.connect.it.stack.SourceTopic;
import io.tidemark.stack.Polling;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.acl.AclOperation;

/**
 * A connector that has every permission of the document, loses one, and gets it back. It uses all
 * features that need permissions: dead letters, announced batches, events, and a topic that ends in
 * a marker. The steps of several connectors alternate. Used by the test's thread only.
 */
final class MissingRight {

  private static final byte[] BAD = {7};
  private static final String BATCH = "export-1";

  private final RealStack stack;
  private final GuardedListener listener;
  private final Optional<DocumentedRight> missing;
  private final boolean fromTheBeginning;
  private final String name;
  private final List<DocumentedRight> rights;
  private final SourceTopic topic;
  private final SourceTopic batches;
  private final SourceTopic events;
  private final Deployment connector;
  private long eventsEnd;
  private long bad;

  /**
   * Deploys the connector.
   *
   * @param missing the permission to lose; empty for none
   * @param fromTheBeginning true if the permission is missing from the start: its absence shows
   *     before anything lands
   */
  MissingRight(
      RealStack stack,
      GuardedListener listener,
      List<DocumentedRight> rights,
      String name,
      Optional<DocumentedRight> missing,
      boolean fromTheBeginning) {
    this.stack = stack;
    this.listener = listener;
    this.rights = rights;
    this.name = name;
    this.missing = missing;
    this.fromTheBeginning = fromTheBeginning;
    topic = stack.topic(name, 1);
    batches = stack.topic(name + "-batches", 1);
    events = stack.topic(name + "-events", 1);
    rights.stream()
        .filter(right -> !fromTheBeginning || missing.filter(right::equals).isEmpty())
        .forEach(right -> of(right).allow(stack));
    topic.send(Readings.V1, 0, 100);
    connector = fromTheBeginning ? stack.deployFailing(settings()) : stack.deploy(settings());
  }

  private KafkaRight of(DocumentedRight right) {
    return listener.right(right, name, topic.name());
  }

  private ConnectorSettings settings() {
    ConnectorSettings all =
        ConnectorSettings.of(name, topic)
            .statedByTheHour()
            .with("errors.tolerance", "all")
            .with("errors.deadletterqueue.topic.name", name + "-letters")
            .with("errors.deadletterqueue.topic.replication.factor", 1)
            .with("completeness.batches.topic", batches.name())
            .with("completeness.events.topic", events.name());
    return listener.loginAsDocumented(all);
  }

  void landsTheFirst() {
    if (!fromTheBeginning) {
      connector.awaitLanded();
    }
  }

  void isTakenAway() {
    if (!fromTheBeginning) {
      missing.ifPresent(this::takeAway);
    }
    eventsEnd = end(events);
    topic.send(Readings.V1, 100, 150);
    bad = topic.sendRaw(0, BAD);
    batches.sendRaw(
        new ProducerRecord<>(
            batches.name(),
            0,
            BATCH.getBytes(StandardCharsets.UTF_8),
            "{\"version\":1,\"batch\":\"%s\",\"records\":{\"%s\":1}}"
                .formatted(BATCH, topic.name())
                .getBytes(StandardCharsets.UTF_8)));
    topic.sendInTransaction(Readings.V1, 150, 200, true);
  }

  /** READ and WRITE include DESCRIBE. */
  private void takeAway(DocumentedRight right) {
    rights.stream()
        .filter(each -> each.equals(right) || includes(each, right))
        .forEach(each -> of(each).takeAway(stack));
  }

  private static boolean includes(DocumentedRight more, DocumentedRight right) {
    return right.operation() == AclOperation.DESCRIBE
        && more.principal().equals(right.principal())
        && more.resource().equals(right.resource());
  }

  /** The missing permission is reported where the document says, and nothing wrong has landed. */
  void isSaid() {
    missing.ifPresent(
        right -> {
          List<String> texts = right.textsOf(name, topic.name());
          switch (right.shown()) {
            case "the task fails" ->
                assertThat(connector.awaitFailure()).as("%s", right).contains(texts);
            case "the task is REFUSED" -> {
              awaitSaid(right, "task-metrics", "Health", List.of("REFUSED"));
              awaitSaid(right, "task-metrics", "HeldBecause", texts);
              awaitLogged(right, texts);
            }
            case "completeness waits", "events wait" -> {
              awaitSaid(right, "ledger-metrics", "Problem", texts);
              awaitLogged(right, texts);
            }
            default -> throw new AssertionError("no test looks where it shows: " + right);
          }
          RowDifference landed =
              RowDifference.between(topic.produced(), connector.table(topic).keysInFiles());
          assertThat(landed.doubled()).as("%s", right).isEmpty();
          assertThat(landed.unexpected()).as("%s", right).isEmpty();
        });
  }

  private void awaitSaid(DocumentedRight right, String type, String attribute, List<String> texts) {
    Polling.until(
        "%s of %s, without %s, says %s".formatted(attribute, name, right, texts),
        RealStack.DEADLINE,
        () -> {
          try {
            List<String> said = connector.said(type, attribute);
            return said.stream().anyMatch(each -> texts.stream().allMatch(each::contains))
                ? Optional.empty()
                : Optional.of("it says " + said);
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
  }

  private void awaitLogged(DocumentedRight right, List<String> texts) {
    Polling.until(
        "the worker's log, without %s of %s, has a line of %s".formatted(right, name, texts),
        RealStack.DEADLINE,
        () ->
            connector.loggedOf(texts).isEmpty() ? Optional.of("there is none") : Optional.empty());
  }

  /** The cure: grants the permission, and restarts the task if it has failed. */
  void isGivenBack() {
    missing.ifPresent(
        right -> {
          rights.stream().map(this::of).forEach(each -> each.allow(stack));
          if (right.shown().equals("the task fails")) {
            connector.connect().restartFailed(name);
          }
        });
  }

  /** Everything has landed once, and all features that need permissions have worked. */
  void landsAll() {
    awaitRunning();
    Instant now = Instant.now();
    connector.landsExactly();
    assertThat(stack.readAll(name + "-letters", 1))
        .as("dead letters of %s", name)
        .allSatisfy(letter -> assertThat(letter.value()).isEqualTo(BAD));
    assertThat(connector.log(topic).batches())
        .as("the dead letter at %d of %s", bad, name)
        .anySatisfy(
            batch ->
                assertThat(batch.json().path("notLanded").path("deadLettered").asText())
                    .isEqualTo(Long.toString(bad)));
    connector.stated().awaitThrough(topic, now);
    Polling.until(
        "the announced batch is in the ledger of " + name,
        RealStack.DEADLINE,
        () -> {
          String announced = connector.stated().state().path("announcements").toString();
          return announced.contains(BATCH) ? Optional.empty() : Optional.of("it has " + announced);
        });
    Polling.until(
        "events of " + name + " are sent",
        RealStack.DEADLINE,
        () -> end(events) > eventsEnd ? Optional.empty() : Optional.of("there are " + eventsEnd));
  }

  /** A restarted task may still have the status FAILED for a moment. */
  private void awaitRunning() {
    Polling.until(
        name + " runs",
        RealStack.DEADLINE,
        () ->
            connector.status().filter(status -> status.isRunning()).isPresent()
                ? Optional.empty()
                : Optional.of("the status is " + connector.status()));
  }

  private long end(SourceTopic of) {
    TopicPartition first = new TopicPartition(of.name(), 0);
    return RealStack.joined(
            stack.admin().listOffsets(Map.of(first, OffsetSpec.latest())).partitionResult(first),
            "the end of " + first)
        .offset();
  }
}
