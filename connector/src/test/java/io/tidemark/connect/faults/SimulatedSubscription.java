package io.tidemark.connect.faults;

import io.tidemark.completeness.reckon.ReckonedTable;
import io.tidemark.completeness.reckon.Subscription;
import io.tidemark.store.table.Table;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The topics of the configuration: those that it lists, or those of a pattern that Kafka has listed
 * last. With a pattern several clients list the topics, each from a broker whose metadata may be
 * outdated. That of the last one is not.
 */
final class SimulatedSubscription implements Subscription {
  private final World world;
  private final CallGate gate;
  private final boolean byNames;
  private final Set<String> takenOut;
  private Optional<Set<String>> listed = Optional.empty();
  private boolean askAgain;

  SimulatedSubscription(World world, CallGate gate) {
    this.world = world;
    this.gate = gate;
    this.byNames = world.connector().isByNames();
    this.takenOut = world.connector().takenOut();
  }

  @Override
  public List<ReckonedTable> tables(Set<String> known) throws IOException {
    if (listed.isEmpty()) {
      list();
    } else if (askAgain) {
      try {
        list();
      } catch (IOException e) {
        askAgain = true; // It continues with the known topics.
      }
    }
    Set<String> topics = new TreeSet<>(byNames ? world.kafka().everTopics() : listed.orElseThrow());
    topics.addAll(known);
    topics.removeAll(takenOut);
    Map<Table, List<String>> byTable = new LinkedHashMap<>();
    for (String topic : topics) {
      for (Table table : world.tables().all(topic)) {
        byTable.computeIfAbsent(table, same -> new ArrayList<>()).add(topic);
      }
    }
    return byTable.entrySet().stream()
        .map(each -> new ReckonedTable(each.getKey(), each.getValue()))
        .toList();
  }

  @Override
  public void list() throws IOException {
    Set<String> found = byNames ? Set.of() : gate.ask("kafka list", this::listedTopics);
    askAgain = false;
    listed = Optional.of(found);
  }

  private Set<String> listedTopics() {
    SimulatedMetadata metadata = world.kafka().metadata();
    Set<String> found = new TreeSet<>();
    for (String topic : world.kafka().everTopics()) {
      boolean described =
          metadata.describe(topic, false).isPresent()
              || metadata.describe(topic, metadata.asksOutdatedBroker()).isPresent();
      if (described && !metadata.isHidden(topic)) {
        found.add(topic);
      }
    }
    return found;
  }

  @Override
  public void refresh() {
    askAgain = true;
  }
}
