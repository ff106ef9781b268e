package io.tidemark.connect.it.stack;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidemark.connect.it.landed.LandedLedger;
import io.tidemark.connect.it.landed.LandedTable;
import io.tidemark.stack.Polling;
import io.tidemark.stack.WebHdfs;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A connector's statements of completeness, in its ledger and in the manifests of its tables. */
public final class StatedCompleteness {

  private static final ObjectMapper JSON = new ObjectMapper();

  private final RealStack stack;
  private final LandedLedger ledger;

  StatedCompleteness(RealStack stack, String logId) {
    this.stack = stack;
    this.ledger = new LandedLedger(stack.services(), logId);
  }

  public LandedLedger ledger() {
    return ledger;
  }

  /** The newest state of the ledger, which must exist. */
  public JsonNode state() {
    return ledger.last().orElseThrow(() -> new AssertionError("there is no ledger yet")).state();
  }

  /** Waits until a topic's table is complete through an instant. */
  public void awaitThrough(SourceTopic topic, Instant instant) {
    awaitThrough("tables", table(topic), instant);
  }

  /** Waits until a table, given by its full name, is complete through an instant. */
  public void awaitTableThrough(String table, Instant instant) {
    awaitThrough("tables", table, instant);
  }

  public void awaitGroupThrough(String group, Instant instant) {
    awaitThrough("groups", group, instant);
  }

  private void awaitThrough(String kind, String name, Instant instant) {
    Polling.until(
        "%s is complete through %s".formatted(name, instant),
        RealStack.DEADLINE,
        () ->
            through(kind, name).filter(through -> !through.isBefore(instant)).isPresent()
                ? Optional.empty()
                : Optional.of("the ledger has " + stated(kind, name)));
  }

  /** The time through which a topic's table is complete. */
  public Optional<Instant> through(SourceTopic topic) {
    return through("tables", table(topic));
  }

  private Optional<Instant> through(String kind, String name) {
    JsonNode through = stated(kind, name).path("through");
    return through.isTextual() ? Optional.of(Instant.parse(through.asText())) : Optional.empty();
  }

  /**
   * Waits until a topic's table waits for a reason.
   *
   * @param reason the beginning of the reason. Example: {@code BEHIND}
   * @return the reason and its detail
   */
  public String awaitHeld(SourceTopic topic, String reason) {
    return awaitHeld("tables", table(topic), reason);
  }

  /** Does the same as {@link #awaitHeld(SourceTopic, String)}, for a group. */
  public String awaitGroupHeld(String group, String reason) {
    return awaitHeld("groups", group, reason);
  }

  private String awaitHeld(String kind, String name, String reason) {
    List<String> told = new ArrayList<>();
    Polling.until(
        "%s waits: %s".formatted(name, reason),
        RealStack.DEADLINE,
        () -> {
          JsonNode stated = stated(kind, name);
          JsonNode held = stated.path("held");
          String because = held.path("reason").asText() + " " + held.path("detail").asText();
          if (!because.startsWith(reason)) {
            return Optional.of("the ledger has " + stated);
          }
          told.add(because);
          return Optional.empty();
        });
    return told.get(0);
  }

  private JsonNode stated(String kind, String name) {
    return ledger
        .last()
        .map(entry -> entry.state().path(kind).path(name))
        .orElseGet(JSON::missingNode);
  }

  /** Waits for an open hold of a kind. Example: {@code lost}. */
  public JsonNode awaitHold(String kind) {
    List<JsonNode> found = new ArrayList<>();
    Polling.until(
        "the ledger has a hold " + kind,
        RealStack.DEADLINE,
        () -> {
          JsonNode holds =
              ledger.last().map(entry -> entry.state().path("holds")).orElseGet(JSON::missingNode);
          for (JsonNode hold : holds) {
            if (hold.path("kind").asText().equals(kind) && hold.path("acknowledged").isNull()) {
              found.add(hold);
            }
          }
          return found.isEmpty() ? Optional.of("it has " + holds) : Optional.empty();
        });
    return found.get(0);
  }

  /** Waits until an uncovered snapshot has this end offset for topic-partition 0. */
  public void awaitPendingSnapshot(SourceTopic topic, long end) {
    Polling.until(
        "a pending snapshot has the end offset %d of %s".formatted(end, topic.name()),
        RealStack.DEADLINE,
        () -> {
          List<JsonNode> ends = new ArrayList<>();
          for (LandedLedger.Entry entry : ledger.entries()) {
            if (entry.is("snapshot")) {
              ends.add(
                  entry.json().path("snapshot").path("topics").path(topic.name()).path("ends"));
            }
          }
          return ends.stream().anyMatch(each -> each.path(0).asLong() == end)
              ? Optional.empty()
              : Optional.of("the snapshots have " + ends);
        });
  }

  /** Waits for the manifest of a Hive partition of a topic's table. */
  public JsonNode awaitManifest(SourceTopic topic, String hivePartition) {
    String directory = "/topics/%s/%s".formatted(topic.name(), hivePartition);
    String file = directory + "/_SUCCESS";
    WebHdfs hdfs = stack.services().hdfs().files();
    List<JsonNode> read = new ArrayList<>();
    Polling.until(
        "a manifest is put: " + file,
        RealStack.DEADLINE,
        () -> {
          try {
            read.add(JSON.readTree(hdfs.read(file)));
            return Optional.empty();
          } catch (FileNotFoundException e) {
            return Optional.of("there is none in " + directory);
          } catch (IOException e) {
            throw new UncheckedIOException(file, e);
          }
        });
    return read.get(0);
  }

  /** The name of a topic's table in the ledger. Example: {@code landed.hours}. */
  public String table(SourceTopic topic) {
    return new LandedTable(stack.services(), topic.name()).name().replace("`", "");
  }
}
