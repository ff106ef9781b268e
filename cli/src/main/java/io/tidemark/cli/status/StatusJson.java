package io.tidemark.cli.status;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.completeness.ledger.Hold;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/** A status for programs: one object in one line. Later versions only add fields. */
public final class StatusJson {
  private static final ObjectMapper JSON = new ObjectMapper();

  private StatusJson() {}

  public static ObjectNode of(Status status) {
    ObjectNode node = JSON.createObjectNode();
    node.put("version", 1);
    node.put("connector", status.connector());
    node.put("state", status.state().connector());
    ArrayNode failed = node.putArray("failedTasks");
    status.state().failedTasks().forEach(failed::add);
    node.put("ledgerEntry", status.ledgerEntry());
    node.put("at", status.at().toString());
    status.lastAsked().map(Instant::toString).ifPresent(asked -> node.put("lastAsked", asked));
    status.away().ifPresent(away -> put(node.putObject("away"), away));
    ArrayNode tables = node.putArray("tables");
    ArrayNode groups = node.putArray("groups");
    ArrayNode topics = node.putArray("topics");
    Map<String, ArrayNode> kinds = Map.of("table", tables, "group", groups, "topic", topics);
    for (Subject each : status.subjects()) {
      ObjectNode subject = Objects.requireNonNull(kinds.get(each.kind())).addObject();
      subject.put("name", each.name());
      each.through().map(Instant::toString).ifPresent(t -> subject.put("completeThrough", t));
      each.askedAt().map(Instant::toString).ifPresent(t -> subject.put("askedAt", t));
      each.lag().ifPresent(lag -> subject.put("lagMs", lag.toMillis()));
      each.held().ifPresent(held -> put(subject.putObject("held"), held));
    }
    ArrayNode batches = node.putArray("batches");
    for (BatchStatus each : status.batches()) {
      ObjectNode batch = batches.addObject();
      batch.put("id", each.id());
      batch.put("complete", each.held().isEmpty());
      batch.put("announced", each.announced());
      batch.put("landed", each.counted().landed());
      batch.put("deadLettered", each.counted().deadLettered());
      batch.put("skipped", each.counted().skipped());
      each.askedAt().map(Instant::toString).ifPresent(t -> batch.put("askedAt", t));
      each.held().ifPresent(held -> put(batch.putObject("held"), held));
    }
    ArrayNode waits = node.putArray("waits");
    status.waits().forEach(waits::add);
    ArrayNode holds = node.putArray("holds");
    for (OpenHold open : status.holds()) {
      Hold hold = open.hold();
      ObjectNode each = holds.addObject();
      each.put("kind", hold.kind().name().toLowerCase(Locale.ROOT).replace('_', '-'));
      each.put("topic", hold.topic());
      if (hold.topicPartition() != Hold.ALL) {
        each.put("topicPartition", hold.topicPartition());
      }
      each.put("from", hold.from());
      each.put("to", hold.to());
      each.put("problem", open.problem());
      each.put("acknowledge", open.argument());
    }
    return node;
  }

  private static void put(ObjectNode node, Held held) {
    node.put("reason", held.reason());
    node.put("detail", held.detail());
    node.put("cure", held.cure());
  }
}
