package io.tidemark.cli.adopt;

import io.tidemark.cli.adopt.WriteAheadLog.Block;
import io.tidemark.cli.adopt.WriteAheadLog.Rename;
import io.tidemark.store.PrintableText;
import io.tidemark.store.Storage;
import io.tidemark.store.StoragePath;
import io.tidemark.store.StoredFile;
import io.tidemark.store.TopicPartition;
import io.tidemark.store.log.CorruptLogException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;

/**
 * Reads the directories of an old sink, and decides for each topic-partition whether and where a
 * connector can continue. Changes nothing. The files of one topic are in memory at a time.
 *
 * @param kafka Kafka's offsets, requested before
 * @param threads reads each file; empty if only names and lengths are compared
 * @param successor the new connector; empty if only the directories are examined
 * @param scope what is examined
 */
public record Adoption(
    Storage storage,
    OldSink sink,
    KafkaOffsets kafka,
    Consents consents,
    Optional<ExecutorService> threads,
    Optional<Successor> successor,
    Scope scope) {

  Adoption(
      Storage storage,
      OldSink sink,
      KafkaOffsets kafka,
      Consents consents,
      Optional<ExecutorService> threads) {
    this(storage, sink, kafka, consents, threads, Optional.empty(), Scope.ALL);
  }

  /**
   * What is examined.
   *
   * @param others the old connector's topics that are not selected
   * @param running whether a connector runs, so that its logs are open
   */
  public record Scope(Set<String> others, boolean running) {
    static final Scope ALL = new Scope(Set.of(), false);

    public Scope {
      others = Set.copyOf(others);
    }
  }

  /** The files of which the results are awaited together. */
  private static final int READ_TOGETHER = 1_000;

  public AdoptionReport examine() throws IOException, InterruptedException {
    List<Refusal> refusals = sink.refusals();
    if (!refusals.isEmpty()) {
      return new AdoptionReport(sink.name(), refusals, List.of());
    }
    Set<String> topics = sink.topics(existing());
    if (topics.isEmpty()) {
      refusals.add(
          new Refusal(
              "topics",
              "the old connector has no topic, or Kafka has none that topics.regex matches",
              "Check topics and topics.regex, and kafka.bootstrap.servers of the new"
                  + " configuration."));
    }
    checkOthers(refusals);
    Map<String, Set<String>> shared = hive() ? HiveLook.shared(topics, this::hiveTable) : Map.of();
    List<AdoptionReport.Topic> reports = new ArrayList<>();
    for (String topic : topics) {
      if (scope.others().contains(topic)) {
        continue;
      }
      Optional<StoragePath> directory = sink.topicsDirectory(topic);
      Optional<StoragePath> logs = sink.logsDirectory(topic);
      if (directory.isEmpty() || logs.isEmpty()) {
        refusals.add(
            new Refusal(
                topic,
                "topic.capture.groups.regex does not match it, or has no such group",
                "Correct the settings: they must be those with which the old sink ran."));
      } else {
        reports.add(
            topic(
                topic,
                directory.get(),
                logs.get().child(topic),
                shared.getOrDefault(topic, Set.of())));
      }
    }
    return new AdoptionReport(sink.name(), refusals, reports);
  }

  /** The old connector continues with the topics that are not selected. */
  private void checkOthers(List<Refusal> refusals) throws IOException {
    if (successor.isEmpty()) {
      return;
    }
    for (String topic : new TreeSet<>(scope.others())) {
      if (successor.get().connector().reads(topic) && !successor.get().adopted(storage, topic)) {
        refusals.add(
            new Refusal(
                topic,
                "both connectors would read it, and its records would land twice: it is a topic of"
                    + " the new connector, and neither selected nor adopted before",
                "Remove it from topics or topics.regex of the new configuration, or add --topic "
                    + topic
                    + "."));
      }
    }
  }

  /** Returns the topics that Kafka has, or {@code topics.dir} if Kafka was not asked. */
  private Set<String> existing() throws IOException {
    Set<String> topics = new TreeSet<>(kafka.topics());
    Optional<StoragePath> common = sink.commonDirectory();
    if (common.isPresent() && successor.isEmpty()) {
      for (StoredFile each : storage.list(common.get())) {
        if (each.directory() && TopicChecks.NAME.matcher(each.path().name()).matches()) {
          topics.add(each.path().name());
        }
      }
    }
    return topics;
  }

  private AdoptionReport.Topic topic(
      String topic, StoragePath topicsDirectory, StoragePath logs, Set<String> shared)
      throws IOException, InterruptedException {
    StoragePath directory = topicsDirectory.child(topic);
    OldFiles files = OldFiles.list(storage, sink, topic);
    Findings findings = new Findings(topic);
    TopicChecks checks = new TopicChecks(this, topic, directory, files, findings);
    checks.checkFiles();
    checks.checkTopic();
    List<AdoptionReport.Partition> partitions = new ArrayList<>();
    for (int partition : partitions(topic, files, logs)) {
      partitions.add(
          partition(new TopicPartition(topic, partition), directory, files, logs, findings));
    }
    Map<StoragePath, StoragePath> paths = Misplaced.committed(files);
    partitions.forEach(
        each -> each.decision().pending().forEach(of -> paths.put(of.temporary(), of.target())));
    Misplaced misplaced = Misplaced.NONE;
    Set<String> directories = new TreeSet<>();
    paths.values().forEach(each -> directories.add(Misplaced.directory(directory, each)));
    if (successor.isPresent()) {
      misplaced = successor.get().misplaced(storage, sink, topic, directory, paths);
      checks.checkPlaces(misplaced);
      successor
          .get()
          .check(storage, sink, topic, directory, files, misplaced.without(directories), findings);
    }
    List<Refusal> refusals = new ArrayList<>();
    if (hive()) {
      HiveLook.refusal(sink, topic, misplaced.without(directories)).ifPresent(refusals::add);
    }
    if (!shared.isEmpty()) {
      refusals.add(
          new Refusal(
              topic,
              "the topics %s have the same table %s in Hive".formatted(shared, hiveTable(topic)),
              "Set hive.integration=false, or give each topic a table of its own:"
                  + " topic.TOPIC.hive.table.name, with hive.table.location=DIRECTORY/${topic}."));
    }
    refusals.addAll(0, findings.refusals());
    return new AdoptionReport.Topic(
        topic,
        directory,
        logs,
        files.temporary().size(),
        files.temporary().values().stream().mapToLong(Long::longValue).sum(),
        findings.notes(),
        refusals,
        partitions);
  }

  /** Returns the table of a topic in Hive: the new connector's, if there is one. */
  private String hiveTable(String topic) {
    return successor.isEmpty()
        ? sink.hiveTable(topic)
        : successor.get().hiveTable(topic).orElse("none of " + topic);
  }

  private boolean hive() {
    return successor.map(Successor::hive).orElse(sink.hive());
  }

  private Set<Integer> partitions(String topic, OldFiles files, StoragePath logs)
      throws IOException {
    Set<Integer> partitions = new TreeSet<>(files.committed().keySet());
    partitions.addAll(kafka.partitions(topic));
    for (StoredFile each : storage.list(logs)) {
      if (each.directory() && each.path().name().matches("\\d{1,9}")) {
        partitions.add(Integer.parseInt(each.path().name()));
      }
    }
    return partitions;
  }

  private AdoptionReport.Partition partition(
      TopicPartition topicPartition,
      StoragePath directory,
      OldFiles files,
      StoragePath logs,
      Findings ofTopic)
      throws IOException, InterruptedException {
    StoragePath log = logs.child(Integer.toString(topicPartition.partition()));
    List<OldFile> committed = files.committed(topicPartition.partition());
    TopicPartitionState listed =
        new TopicPartitionState(
            topicPartition,
            directory,
            threads.isPresent() ? read(committed, threads.get()) : committed,
            Map.of(),
            files.hasLeftovers(),
            log(log.child("log"), ofTopic),
            log(log.child("log.1"), ofTopic),
            kafka,
            consents);
    TopicPartitionState state = listed.missing().isEmpty() ? listed : withLastBlock(listed, files);
    noteAuthorities(state, ofTopic);
    NamedOffsets names = NamedOffsets.of(state.files());
    Decision decision = Decider.decide(state, names);
    checkOwnLog(topicPartition, decision, ofTopic);
    return new AdoptionReport.Partition(
        topicPartition,
        state.files().size(),
        state.files().stream().mapToLong(OldFile::bytes).sum(),
        threads.isPresent() ? state.files().stream().mapToLong(OldFile::records).sum() : -1,
        names,
        text(state.log(), "log") + ", " + text(state.former(), "log.1"),
        decision);
  }

  private void checkOwnLog(TopicPartition of, Decision decision, Findings findings)
      throws IOException {
    if (successor.isEmpty() || decision.next().isEmpty()) {
      return;
    }
    try {
      successor
          .get()
          .otherLog(storage, of, decision.next().getAsLong())
          .ifPresent(
              problem ->
                  findings.refuse(
                      "%s: %s".formatted(successor.get().log(storage, of).directory(), problem),
                      Successor.CURE_OF_OTHER_LOG));
    } catch (CorruptLogException e) {
      throw new IOException(PrintableText.messageOf(e), e);
    }
  }

  /** Reads a log, which an adoption that did not end may have renamed. */
  private Optional<WriteAheadLog> log(StoragePath path, Findings findings) throws IOException {
    Optional<WriteAheadLog> log = WriteAheadLog.read(storage, path);
    Optional<WriteAheadLog> inert = WriteAheadLog.read(storage, inert(path));
    if (log.isPresent() && inert.isPresent()) {
      findings.refuse(
          "%s and %s exist: the old connector was started after an adoption had begun"
              .formatted(path, inert(path)),
          "If it was started on purpose, remove %s and repeat. Otherwise compare its newest files with those of the new connector: records may have landed twice."
              .formatted(inert(path)));
    }
    Optional<WriteAheadLog> found = log.or(() -> inert);
    if (successor.isPresent() && !scope.running()) {
      found
          .filter(WriteAheadLog::isOpen)
          .ifPresent(
              each ->
                  findings.refuse(
                      "%s is open: the name node lists %d of its %d bytes. A task of the old sink still holds its lease, or was killed"
                          .formatted(each.path(), each.listed(), each.bytes()),
                      "Stop the old connector. Then recover the lease, so that no former task can write: hdfs debug recoverLease -path %s -retries 10."
                          .formatted(each.path())));
    }
    return found;
  }

  /** Returns the name of a log that the old sink no longer finds. */
  static StoragePath inert(StoragePath log) {
    return log.parent().child(log.name() + ".adopted");
  }

  /** Reads the files of a commit that may be unfinished, also if no other file is read. */
  private TopicPartitionState withLastBlock(TopicPartitionState listed, OldFiles files)
      throws IOException {
    Map<StoragePath, OldFile.Content> temporary = new HashMap<>();
    for (Rename each : listed.missing()) {
      Long bytes = files.temporary().get(each.temporary());
      if (bytes != null) {
        temporary.put(each.temporary(), FileLook.at(storage, each.temporary(), bytes));
      }
    }
    Set<String> targets = new HashSet<>();
    listed.renames().forEach(each -> targets.add(each.target().name()));
    List<OldFile> read = new ArrayList<>();
    for (OldFile each : listed.files()) {
      read.add(
          targets.contains(each.path().name())
              ? each.with(FileLook.at(storage, each.path(), each.bytes()))
              : each);
    }
    return listed.with(read, temporary);
  }

  private void noteAuthorities(TopicPartitionState state, Findings findings) {
    Set<String> others = new TreeSet<>();
    state.log().ifPresent(each -> others.addAll(each.authorities()));
    state.former().ifPresent(each -> others.addAll(each.authorities()));
    others.remove(sink.authority());
    if (!others.isEmpty()) {
      findings.note(
          "the logs of %s name files of %s: only their paths are compared"
              .formatted(state.topicPartition(), others));
    }
  }

  private static String text(Optional<WriteAheadLog> log, String name) {
    if (log.isEmpty()) {
      return "no " + name;
    }
    WriteAheadLog read = log.get();
    return "%s with %d bytes and %d complete blocks%s%s"
        .formatted(
            name,
            read.bytes(),
            read.blocks(),
            read.last()
                .map(Block::renames)
                .map(last -> ", the last of %d files".formatted(last.size()))
                .orElse(""),
            read.open()
                .map(Block::renames)
                .map(open -> ", then one of %d files without END".formatted(open.size()))
                .orElse(""));
  }

  private List<OldFile> read(List<OldFile> files, ExecutorService executor)
      throws IOException, InterruptedException {
    List<OldFile> read = new ArrayList<>(files.size());
    for (int from = 0; from < files.size(); from += READ_TOGETHER) {
      List<Callable<OldFile>> looks = new ArrayList<>();
      for (OldFile each : files.subList(from, Math.min(files.size(), from + READ_TOGETHER))) {
        looks.add(() -> each.with(FileLook.at(storage, each.path(), each.bytes())));
      }
      for (Future<OldFile> each : executor.invokeAll(looks)) {
        try {
          read.add(each.get());
        } catch (ExecutionException e) {
          throw new IOException("A file below topics.dir could not be read", e.getCause());
        }
      }
    }
    return read;
  }
}
