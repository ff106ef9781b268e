package io.tidemark.cli.adopt;

import io.tidemark.cli.adopt.OldFile.Broken;
import io.tidemark.cli.adopt.OldFile.Content;
import io.tidemark.cli.adopt.OldFile.Records;
import io.tidemark.cli.adopt.WriteAheadLog.Block;
import io.tidemark.cli.adopt.WriteAheadLog.Rename;
import io.tidemark.store.StoragePath;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Examines the last complete block of a log: whether its files are committed, or can still be. Used
 * by one thread, once.
 */
final class LastBlock {
  private final TopicPartitionState state;
  private final Findings findings;
  private final WriteAheadLog log;
  private final Block block;

  /** By their names: an operator, or an adoption, may have moved them to other directories. */
  private final Map<String, OldFile> targets = new HashMap<>();

  LastBlock(TopicPartitionState state, WriteAheadLog log, Findings findings) {
    this.state = state;
    this.findings = findings;
    this.log = log;
    this.block = log.last().orElseThrow();
  }

  private String place() {
    return "the block at byte %d of %s".formatted(block.at(), log.path());
  }

  /** Parses the targets. Returns false, with a refusal, if they are not of this topic-partition. */
  boolean isOfThisTopicPartition() {
    for (Rename rename : block.renames()) {
      Optional<OldFile> target = OldFile.parse(rename.target());
      if (target.isEmpty()
          || !target.get().topicPartition().equals(state.topicPartition())
          || !rename.target().isBelow(state.directory())
          || !rename.temporary().parent().equals(temporaryDirectory(rename.target()))) {
        findings.refuse(
            "%s renames %s to %s, which are not files of this topic-partition for %s: the log is damaged, or of another connector or another topics.dir"
                .formatted(place(), rename.temporary(), rename.target(), state.directory()),
            "Check topics.dir and logs.dir, or restore the log from a snapshot.");
        return false;
      }
      targets.put(rename.target().name(), target.get());
    }
    return true;
  }

  // /topics/orders/city=a/orders+0+0+9.avro: /topics/+tmp/orders/city=a
  private StoragePath temporaryDirectory(StoragePath target) {
    StoragePath topics = state.directory().parent();
    String below =
        target.parent().value().substring(topics.value().equals("/") ? 0 : topics.value().length());
    return new StoragePath(topics.child(OldFiles.TEMPORARY).value() + below);
  }

  long first() {
    return targets.values().stream().mapToLong(OldFile::first).min().orElseThrow();
  }

  long next() {
    return targets.values().stream().mapToLong(OldFile::last).max().orElseThrow() + 1;
  }

  /** Checks that no other file has offsets of the block, or later ones. */
  void compareWithOtherFiles() {
    List<StoragePath> others =
        state.files().stream()
            .filter(each -> each.last() >= first() && !targets.containsKey(each.path().name()))
            .map(OldFile::path)
            .toList();
    if (!others.isEmpty()) {
      findings.refuse(
          "the log disagrees with the files: %s, the last complete one, has the offsets %d to %d, and files that it does not name have these or later ones: %s. The log is an older copy, was cut, or is not the sink's"
              .formatted(place(), first(), next() - 1, Findings.list(others)),
          "Restore the log from a snapshot. After a kill, recover its lease first (hdfs debug"
              + " recoverLease -path "
              + log.path()
              + " -retries 10): a copy that was made before has only its first bytes.");
    }
  }

  /** Checks that the log of the life before ended before this block. */
  void compareWithFormerLog() {
    Optional<WriteAheadLog> former = state.former().filter(each -> !each.equals(log));
    long end =
        former
            .flatMap(WriteAheadLog::last)
            .map(last -> last.renames().stream())
            .orElse(Stream.empty())
            .flatMap(each -> OldFile.parse(each.target()).stream())
            .mapToLong(each -> each.last() + 1)
            .max()
            .orElse(0);
    if (end > first()) {
      findings.refuse(
          "the logs disagree: %s begins at offset %d, and %s, the log of the life before, ends before offset %d"
              .formatted(place(), first(), former.orElseThrow().path(), end),
          "One of them is an older copy, or of another connector. Restore both from a snapshot, or"
              + " move away the wrong one after comparing the newest files with Kafka.");
    }
  }

  /** Returns the renames to finish. */
  List<Rename> pending() {
    List<Rename> missing = state.missing();
    if (missing.isEmpty()) {
      return List.of();
    }
    Optional<String> proof = removedSince(missing);
    if (proof.isPresent()) {
      missing(missing, "were committed and are missing now (%s)".formatted(proof.get()));
      return List.of();
    }
    List<Rename> lost =
        missing.stream().filter(each -> !state.temporary().containsKey(each.temporary())).toList();
    if (!lost.isEmpty()) {
      missing(lost, "exist neither at their name nor in +tmp");
    }
    List<Rename> pending = new ArrayList<>(missing);
    pending.removeAll(lost);
    pending.forEach(this::checkTemporary);
    countRecords(missing);
    return pending;
  }

  /**
   * Returns how it is known that the renames were once made. A temporary file then proves nothing:
   * the sink uses its name again for the next file.
   */
  private Optional<String> removedSince(List<Rename> missing) {
    if (state.log().filter(log::equals).isEmpty()) {
      return Optional.of("the sink was started again since, and finished the block");
    }
    if (state.group().isPresent() && state.group().getAsLong() >= next()) {
      return Optional.of("the consumer group has the offset " + state.group().getAsLong());
    }
    List<Rename> all = block.renames();
    if (!all.subList(all.size() - missing.size(), all.size()).equals(missing)) {
      return Optional.of("later files of the same block exist");
    }
    return Optional.empty();
  }

  private void missing(List<Rename> missing, String problem) {
    List<StoragePath> paths = missing.stream().map(Rename::target).toList();
    if (state.consents().missingFiles()) {
      findings.note(
          "%d files of the last commit %s, as the operator confirms: %s"
              .formatted(paths.size(), problem, Findings.list(paths)));
      return;
    }
    findings.refuse(
        "%d files of the last commit, %s, %s: %s"
            .formatted(paths.size(), place(), problem, Findings.list(paths)),
        "Restore them from the trash or a snapshot. If they were removed on purpose, repeat with "
            + Consents.MISSING_FILES
            + ".");
  }

  private void checkTemporary(Rename rename) {
    Content content = state.temporary().get(rename.temporary());
    OldFile target = targets.get(rename.target().name());
    if (content == null || target == null) {
      return;
    }
    Optional<String> problem =
        content instanceof Broken broken
            ? Optional.of(broken.problem())
            : target.with(content).withBytes(1).problem();
    problem.ifPresent(
        text ->
            findings.refuse(
                "%s was not renamed yet, and its temporary file %s %s"
                    .formatted(rename.target(), rename.temporary(), text),
                "If it is open, recover its lease (hdfs debug recoverLease -path "
                    + rename.temporary()
                    + " -retries 10). If it stays damaged, restore it from a snapshot."));
  }

  /** Compares the records of the block's files with its offsets: temporary names are repeated. */
  private void countRecords(List<Rename> missing) {
    Map<String, Content> contents = new HashMap<>();
    state.files().forEach(each -> contents.put(each.path().name(), each.content()));
    missing.forEach(
        each ->
            contents.put(
                each.target().name(),
                state.temporary().getOrDefault(each.temporary(), OldFile.UNREAD)));
    long records = 0;
    for (String target : Set.copyOf(targets.keySet())) {
      if (!(contents.get(target) instanceof Records read)) {
        return;
      }
      records += read.count();
    }
    long offsets = next() - first();
    if (records != offsets) {
      findings.refuse(
          "the files of %s have %d records for the offsets %d to %d. Temporary files may be those of later records, because their names are used again; or the topic has transactions or skipped records"
              .formatted(place(), records, first(), next() - 1),
          "Compare the records of these temporary files with Kafka: "
              + Findings.list(missing.stream().map(Rename::temporary).toList())
              + ". If they are the right ones, rename each to its target with hdfs dfs -mv, and"
              + " repeat.");
    }
  }
}
