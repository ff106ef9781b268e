package io.tidemark.cli.status;

import io.tidemark.cli.deployment.ConnectorState;
import io.tidemark.connect.ledger.state.Hold;
import io.tidemark.connect.text.PrintableText;
import java.util.stream.Collectors;

/** What to do about each reason for which something is not complete. */
record Cures(String connector, ConnectorState state) {

  String of(Hold hold) {
    return switch (hold.reason()) {
      case "BEHIND", "NOT_OPENED", "NOT_REGISTERED" -> tasks(hold.reason());
      case "OPEN_TRANSACTION" ->
          "Wait for its producer; a transaction whose producer is gone is ended by"
              + " kafka-transactions.sh abort";
      case "UNSEEN" ->
          "Drop or move what stands in the place of the Hive partition in Hive: it is looked for"
              + " each minute. Or acknowledge it: see the blocks";
      case "LOST", "DELETED", "GAP", "DEAD_LETTERED" ->
          "Find out what it means for the table, then acknowledge it: see the blocks";
      case "TRUNCATED" ->
          "Wait: Kafka is asked again. If it stays, check that the topic is there, that each of its"
              + " topic-partitions has a leader, and that the user in kafka.* may DESCRIBE it";
      case "UNREADABLE" ->
          "Allow the user in kafka.* to READ the topic. Where records are left they land all the"
              + " same: see the tasks' metrics";
      case "NOT_SHOWN" ->
          "Let the connector's user write into that directory, or raise its quota: it is tried each"
              + " minute";
      case "NAME_TAKEN" ->
          "Leave the topic out of topics.regex, and give it a connector with another"
              + " hive.table.name";
      case "IDLE" ->
          "Wait for a newer record, or set completeness.idle=advance if idle topic-partitions are"
              + " usual";
      case "NO_MEMBER" ->
          "Deploy the member's connector on the same store and ledger.dir, or correct"
              + " completeness.groups";
      case "SERVICE_AWAY" -> "Bring the service back; nothing else is to be done";
      case "OPEN" -> "Wait: a snapshot is taken at once, and judged when all below it has landed";
      case "SHORT" ->
          "Ask the producer whether it has sent all. What comes later is counted at later"
              + " snapshots";
      case "OVER" ->
          "Ask the producer whether it has sent copies, or has used the id before. Remove them from"
              + " the table";
      case "CONTRADICTED" ->
          "Ask the producer which numbers are right, and announce them under another id with the"
              + " records that carry it; else count the records in the table";
      case "UNKNOWN" -> "Count the records in the table, by what tells them apart from others";
      case "NO_TOPIC" -> "Announce the topics of each connector under an id of their own";
      default -> "See docs/CLI.md";
    };
  }

  private String tasks(String reason) {
    if (state.failedTasks().isEmpty()) {
      return switch (reason) {
        case "BEHIND" -> "Wait: the tasks run. If it does not shrink, see the tasks' metrics";
        case "NOT_REGISTERED" -> "Wait, and check that the Hive Metastore answers";
        default ->
            "Wait for a task to open it. If it stays, check that the connector reads the topic";
      };
    }
    String name = PrintableText.of(connector);
    return "Failed tasks: %s. See their traces in GET /connectors/%s/status, correct it, then POST /connectors/%s/tasks/NUMBER/restart"
        .formatted(
            state.failedTasks().stream().map(String::valueOf).collect(Collectors.joining(", ")),
            name,
            name);
  }
}
