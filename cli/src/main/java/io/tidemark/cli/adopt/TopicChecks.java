package io.tidemark.cli.adopt;

import io.tidemark.store.StoragePath;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** What can refuse the adoption of a whole topic, whatever its topic-partitions have. */
record TopicChecks(
    Adoption of, String topic, StoragePath directory, OldFiles files, Findings findings) {

  /** Kafka's names of topics, of which Hive reads the files and directories. */
  static final Pattern NAME = Pattern.compile("[a-zA-Z0-9-][a-zA-Z0-9._-]*");

  /** Checks the files below the topic's directory. */
  void checkFiles() throws IOException {
    if (files.ours()
        && (of.successor().isEmpty() || !of.successor().get().owns(of.storage(), directory))) {
      findings.refuse(
          directory + " is already a table of Tidemark",
          "Continue with the connector that owns it.");
    }
    if (!files.otherFormats().isEmpty()) {
      findings.refuse(
          "the sink also wrote other formats than Avro: " + Findings.list(files.otherFormats()),
          "Move these files out of the table, or begin a new table.");
    }
    List<StoragePath> copies = files.copies();
    if (!copies.isEmpty()) {
      findings.refuse(
          "%d files have the name of a committed file and more, and Hive reads them too: %s"
              .formatted(copies.size(), Findings.list(copies)),
          "They are copies, or were not copied to the end. Move them out of the table.");
    }
    if (!files.others().isEmpty()) {
      findings.note(
          "%d files below %s are not the sink's for this topic, and stay as they are: %s"
              .formatted(files.others().size(), directory, Findings.list(files.others())));
    }
  }

  /** Checks the topic's name, and whether Kafka, the group and HDFS are those of the old sink. */
  void checkTopic() throws IOException {
    if (!NAME.matcher(topic).matches() && of.storage().find(directory).isPresent()) {
      findings.refuse(
          "Hive does not read files and directories that begin with '" + topic.charAt(0) + "'",
          "Begin a new table beside the old one, with another topics.dir.");
    }
    if (of.successor().isEmpty()) {
      return;
    }
    boolean known = of.kafka().end().keySet().stream().anyMatch(each -> each.topic().equals(topic));
    if (!known && files.exist()) {
      findings.refuse(
          "Kafka has no such topic",
          "Check kafka.bootstrap.servers of the new configuration. If the topic was deleted, its"
              + " files can stay: adopt the others, with --topic for each, or remove it from topics"
              + " of the old configuration.");
    }
    boolean none = !files.exist() && !hasLogs();
    boolean group =
        of.kafka().group().entrySet().stream()
            .anyMatch(each -> each.getKey().topic().equals(topic) && each.getValue() > 0);
    if (none && group) {
      // hdfs://namenode:8020
      String authority = of.storage().location().replaceFirst("^[a-zA-Z0-9+.-]+://", "");
      String problem =
          "the consumer group has offsets, and there is neither a committed file nor a log";
      if (of.storage().location().startsWith("hdfs://")
          && !authority.equals(of.sink().authority())) {
        findings.refuse(
            "%s in %s, while the old connector wrote to %s"
                .formatted(problem, of.storage().location(), of.sink().authority()),
            "Correct store.url of the new configuration. If both are the same HDFS, write its name"
                + " into hdfs.url of the old configuration.");
      } else {
        findings.note(problem + ": the group's offsets decide");
      }
    }
  }

  private boolean hasLogs() throws IOException {
    Optional<StoragePath> logs = of.sink().logsDirectory(topic);
    return logs.isPresent() && !of.storage().list(logs.get().child(topic)).isEmpty();
  }

  /** Checks whether Hive finds the files. */
  void checkPlaces(Misplaced misplaced) {
    if (misplaced.moves().isEmpty()) {
      return;
    }
    String problem =
        "%d files are not in the directories in which Hive looks, because their values are empty or have characters that Hive escapes, or a field's name has capital letters: %s"
            .formatted(
                misplaced.moves().size(),
                Findings.list(
                    misplaced.moves().entrySet().stream()
                        .map(each -> each.getKey() + " belongs to " + each.getValue().parent())
                        .toList()));
    if (of.consents().moves()) {
      findings.note(problem + ". They are moved");
    } else {
      findings.refuse(
          problem,
          "Repeat with "
              + Consents.MOVES
              + ": these files are moved, and the new connector registers their Hive partitions."
              + " Or, if no value has a slash and no field a capital letter, set"
              + " hive.integration=false.");
    }
  }
}
