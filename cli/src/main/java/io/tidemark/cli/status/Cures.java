package io.tidemark.cli.status;

import io.tidemark.cli.deployment.ConnectorState;
import io.tidemark.completeness.ledger.HeldBecause;
import io.tidemark.store.PrintableText;
import java.util.stream.Collectors;

/** The cure of each reason why a table, a group or a batch is not complete. */
record Cures(String connector, ConnectorState state) {
  private static final String RELEASE =
      "tidemark repair --release TOPIC --reason TEXT --execute, with --connector and --connect";

  String of(HeldBecause because) {
    return switch (because.reason()) {
      case "BEHIND", "NOT_OPENED", "NOT_REGISTERED" -> tasks(because.reason());
      case "OPEN_TRANSACTION" ->
          "Wait for the producer. If it no longer exists, kafka-transactions.sh find-hanging finds its"
              + " transaction, and abort ends it";
      case "UNSEEN" ->
          "tidemark audit says whether the Hive partition has another location in Hive. Then correct"
              + " that: the connector checks it each minute. If instead Hive equates its name with"
              + " another one's (trailing spaces, capital letters, accents), do not drop it in Hive,"
              + " which drops the other one: correct the producer, and move the files to the"
              + " directory of the other one. Then, or to leave it so, acknowledge it: see the holds";
      case "DAMAGED" -> "Restore the file that the reason names from a copy";
      case "LOST", "DELETED", "DEAD_LETTERED" ->
          "Find out what it means for the table, then acknowledge it: see the holds";
      case "GAP" ->
          "If the tasks refuse the log because it is an older copy, put the newest copy back, and"
              + " acknowledge nothing. If they have continued it (operator.consent), do not put"
              + " another copy back: compare the rows by tidemark audit, then acknowledge it: see"
              + " the holds";
      case "TRUNCATED" ->
          "Wait: the connector asks Kafka again. If the reason stays, check that the topic exists,"
              + " that each of its topic-partitions has a leader, and that the user in kafka.* has"
              + " permission to DESCRIBE it";
      case "OTHER_CLUSTER" ->
          "After a move to another cluster, see what the tasks wait for. Otherwise set"
              + " kafka.bootstrap.servers to the brokers that the worker consumes from. If no task reads"
              + " the topic any more, exclude it from the connector and run "
              + RELEASE;
      case "HIDDEN" ->
          "Wait for the next snapshot. If the reason stays, allow the user in kafka.* to DESCRIBE"
              + " the topic. If no task will have it again, exclude it from the connector and run "
              + RELEASE;
      case "UNREADABLE" ->
          "Allow the user in kafka.* to READ the topic. Remaining records land anyway: see the"
              + " tasks' metrics";
      case "NOT_SHOWN" ->
          "Let the connector's user write into that directory, or raise its quota: the connector"
              + " retries each minute";
      case "NAME_TAKEN" -> "Change the configuration as the reason says";
      case "IDLE" ->
          "Wait for a newer record, or set completeness.idle=advance if idle topic-partitions are"
              + " normal";
      case "NOT_CONFIGURED" ->
          "Put the topic back into the configuration. Or, if its records shall not land here, let"
              + " its tables go on without it: "
              + RELEASE;
      case "NO_MEMBER" ->
          "Deploy the member's connector on the same store and ledger.dir, or correct"
              + " completeness.groups";
      case "SERVICE_AWAY" -> "Restore the service; no other action is needed";
      case "OPEN" ->
          "Wait: a snapshot is taken at once, and the batch is counted when the snapshot is"
              + " covered. If the topic itself waits, its reason follows: act on that";
      case "SHORT" ->
          "Check whether the producer has sent all records. Records that come later are counted at"
              + " later snapshots";
      case "OVER" ->
          "Check whether the producer has sent duplicates, or has used the id before. Remove the"
              + " duplicates from the table";
      case "CONTRADICTED" ->
          "Find out which announced numbers are right, and send the records again under another"
              + " id, with an announcement. Or count the records in the table";
      case "UNKNOWN" ->
          "Count the records of the batch in the table, by a query on a field that identifies them";
      case "NO_TOPIC" ->
          "Count the records in the table, or send them again under another id, with an"
              + " announcement that names only topics of this connector. Do not announce this id"
              + " again: another announcement contradicts the first";
      default -> "See docs/CLI.md";
    };
  }

  private String tasks(String reason) {
    if (state.failedTasks().isEmpty()) {
      return switch (reason) {
        case "BEHIND" ->
            "See the waits of tasks, if status lists any. Otherwise wait: the tasks run. If the"
                + " number of offsets does not shrink, see Health and HeldBecause of their MBeans";
        case "NOT_REGISTERED" ->
            "Restore the file that the reason names, if it names one. Otherwise wait, and check that"
                + " the Hive Metastore answers. If the reason stays, restart the connector";
        default ->
            "Wait for a task to report it. If the reason stays, check that the connector reads the"
                + " topic, and restart the connector";
      };
    }
    String name = PrintableText.of(connector);
    return "Failed tasks: %s. See their traces in GET /connectors/%s/status, correct the cause, then POST /connectors/%s/tasks/NUMBER/restart"
        .formatted(
            state.failedTasks().stream().map(String::valueOf).collect(Collectors.joining(", ")),
            name,
            name);
  }
}
