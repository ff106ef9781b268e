package io.tidemark.connect.it.faults;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.connect.it.landed.LandedLedger;
import io.tidemark.connect.it.landed.LogEntry;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Compares a ledger's statements with the commit logs: when the ledger says that a snapshot is
 * covered, each log must have reached its end offset. The times are those of the entries, all by
 * this machine's clock.
 */
final class CoverageCheck {

  private CoverageCheck() {}

  /**
   * The false statements.
   *
   * @param ledger all of its entries, none folded
   */
  static List<String> falseStatements(FaultScenario scenario, List<LandedLedger.Entry> ledger) {
    String topic = scenario.topic().name();
    List<LogEntry> log = scenario.log().entries();
    Map<Long, JsonNode> snapshots = new HashMap<>();
    List<String> found = new ArrayList<>();
    Instant through = Instant.MIN;
    int checked = 0;
    for (LandedLedger.Entry entry : ledger) {
      if (entry.is("snapshot")) {
        snapshots.put(entry.number(), entry.json().path("snapshot"));
      }
      JsonNode said = entry.state().path("topics").path(topic).path("through");
      if (said.isTextual()) {
        Instant now = Instant.parse(said.asText());
        if (now.isBefore(through)) {
          found.add("entry %d goes back from %s to %s".formatted(entry.number(), through, now));
        }
        through = now;
      }
      JsonNode covered = entry.json().path("covered").path(topic).path("snapshot");
      JsonNode ends =
          snapshots.getOrDefault(covered.asLong(), covered).at("/topics/" + topic + "/ends");
      for (int each = 0; each < ends.size(); each++) {
        checked++;
        long landed = landed(log, each, entry.came());
        if (landed < ends.get(each).asLong()) {
          found.add(
              "entry %d: snapshot %d has the end %s of topic-partition %d, and the log had come to %d"
                  .formatted(entry.number(), covered.asLong(), ends.get(each), each, landed));
        }
      }
    }
    if (checked == 0) {
      found.add("no snapshot was covered, so nothing was checked");
    }
    return found;
  }

  /** The next offset of a log at a time: 0 also while its entries have no offset yet. */
  private static long landed(List<LogEntry> log, int topicPartition, Instant time) {
    return log.stream()
        .filter(entry -> entry.topicPartition() == topicPartition)
        .filter(entry -> !entry.writtenAt().isAfter(time))
        .mapToLong(LogEntry::next)
        .reduce(0, Math::max);
  }
}
