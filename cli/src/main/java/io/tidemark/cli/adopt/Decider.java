package io.tidemark.cli.adopt;

import io.tidemark.cli.adopt.Decision.Source;
import io.tidemark.cli.adopt.WriteAheadLog.Block;
import io.tidemark.cli.adopt.WriteAheadLog.Rename;
import io.tidemark.store.StoragePath;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Decides where a connector continues one topic-partition: after the last complete block of {@code
 * log}, else of {@code log.1}, else after the names of the files, else at the consumer group's
 * offset. Names alone lose records if a commit was interrupted between its renames.
 *
 * <p>A pure function of its inputs. Used by one thread, once.
 */
final class Decider {
  private final TopicPartitionState state;
  private final NamedOffsets names;
  private final Findings findings;

  private Decider(TopicPartitionState state, NamedOffsets names) {
    this.state = state;
    this.names = names;
    this.findings = new Findings(state.topicPartition().toString());
  }

  static Decision decide(TopicPartitionState state, NamedOffsets names) {
    return new Decider(state, names).decide();
  }

  private Decision decide() {
    checkFiles();
    if (logIsDamaged()) {
      return decided(OptionalLong.empty(), Source.NOTHING, List.of());
    }
    checkOpenBlocks();
    Optional<WriteAheadLog> log = state.deciding();
    if (log.isPresent()) {
      LastBlock block = new LastBlock(state, log.get(), findings);
      if (!block.isOfThisTopicPartition()) {
        return decided(OptionalLong.empty(), Source.NOTHING, List.of());
      }
      block.compareWithOtherFiles();
      block.compareWithFormerLog();
      List<Rename> pending = block.pending();
      Source source = log.equals(state.log()) ? Source.LOG : Source.FORMER_LOG;
      return compared(OptionalLong.of(block.next()), source, pending);
    }
    if (!state.files().isEmpty()) {
      checkNamesAlone();
      return compared(OptionalLong.of(names.next()), Source.NAMES, List.of());
    }
    return state.group().isPresent()
        ? compared(state.group(), Source.GROUP, List.of())
        : compared(OptionalLong.empty(), Source.NOTHING, List.of());
  }

  private Decision compared(OptionalLong next, Source source, List<Rename> pending) {
    if (next.isPresent()) {
      compareWithKafka(next.getAsLong());
    }
    if (!names.gaps().ranges().isEmpty()) {
      findings.note(
          "%d offsets between its files are in no name: skipped, aborted, or in files that were removed"
              .formatted(names.gaps().size()));
    }
    if (names.withoutRecord() > 0) {
      findings.note(
          "%d offsets within names have no record in a file of these names"
              .formatted(names.withoutRecord()));
    }
    return decided(next, source, pending);
  }

  private Decision decided(OptionalLong next, Source source, List<Rename> pending) {
    return new Decision(next, source, pending, findings.notes(), findings.refusals());
  }

  private void checkFiles() {
    List<OldFile> broken =
        state.files().stream().filter(each -> each.problem().isPresent()).toList();
    if (!broken.isEmpty()) {
      List<StoragePath> sameCommits =
          state.files().stream()
              .filter(file -> file.problem().isEmpty())
              .filter(
                  file ->
                      broken.stream()
                          .anyMatch(
                              each -> file.first() <= each.last() && each.first() <= file.last()))
              .map(OldFile::path)
              .toList();
      findings.refuse(
          "%d files are not usable: %s. A sink writes files of 0 bytes if committed files are removed while it is killed"
              .formatted(
                  broken.size(),
                  Findings.list(
                      broken.stream()
                          .map(each -> each.path() + " " + each.problem().orElseThrow())
                          .toList())),
          "Restore these files, or move them out of the table. Then compare the other files of the"
              + " same commits with Kafka, and move out those that have records of other offsets: "
              + (sameCommits.isEmpty() ? "none" : Findings.list(sameCommits))
              + ".");
    }
    if (!names.twice().isEmpty()) {
      findings.refuse(
          "offsets are in the table twice: " + Findings.list(names.twice()),
          "Compare these files with Kafka, and move the wrong ones out of the table.");
    }
  }

  private boolean logIsDamaged() {
    boolean damaged = state.log().map(this::examineLog).orElse(false);
    Optional<WriteAheadLog> former = state.former();
    if (former.isEmpty()) {
      return damaged;
    }
    if (state.log().flatMap(WriteAheadLog::last).isEmpty()) {
      return examineLog(former.get()) || damaged;
    }
    former
        .get()
        .damage()
        .ifPresent(
            problem ->
                findings.note(
                    "%s is damaged %s. It is not needed".formatted(former.get().path(), problem)));
    return damaged;
  }

  private boolean examineLog(WriteAheadLog log) {
    if (log.isOpen()) {
      findings.note(
          "%s is open (the name node lists %d of %d bytes): the sink runs, or was killed and the lease is not recovered"
              .formatted(log.path(), log.listed(), log.bytes()));
    }
    if (log.cut()) {
      findings.note("%s ends within an entry at byte %d".formatted(log.path(), log.bytes()));
    }
    log.damage()
        .ifPresent(
            problem ->
                findings.refuse(
                    "%s is damaged %s".formatted(log.path(), problem),
                    "Restore it from a snapshot or another replica (hdfs fsck "
                        + log.path()
                        + " -files -blocks -locations)."));
    return log.damage().isPresent();
  }

  /** A block without END was never applied: none of its targets can exist. */
  private void checkOpenBlocks() {
    List<WriteAheadLog> logs = new ArrayList<>();
    state.log().ifPresent(logs::add);
    if (state.log().flatMap(WriteAheadLog::last).isEmpty()) {
      state.former().ifPresent(logs::add);
    }
    Set<String> committed = state.committed();
    for (WriteAheadLog log : logs) {
      if (log.open().isEmpty()) {
        continue;
      }
      Block open = log.open().get();
      List<StoragePath> existing =
          open.renames().stream()
              .map(Rename::target)
              .filter(each -> committed.contains(each.name()))
              .toList();
      if (existing.isEmpty()) {
        findings.note(
            "the block at byte %d of %s has no END, so none of its %d files was committed: their records are read again"
                .formatted(open.at(), log.path(), open.renames().size()));
      } else {
        findings.refuse(
            "the block at byte %d of %s has no END, but files that it names exist: %s. The log was cut"
                .formatted(open.at(), log.path(), Findings.list(existing)),
            "Restore the log from a snapshot, or recover its lease and read it again.");
      }
    }
  }

  /** Names decide only if no commit can have been interrupted between its renames. */
  private void checkNamesAlone() {
    List<WriteAheadLog> logs = new ArrayList<>();
    state.log().ifPresent(logs::add);
    state.former().ifPresent(logs::add);
    boolean groupAgrees = state.group().isPresent() && state.group().getAsLong() == names.next();
    for (WriteAheadLog log : logs) {
      List<Rename> begun = log.open().map(Block::renames).orElse(List.of());
      boolean agrees =
          !begun.isEmpty()
              && begun.stream()
                  .map(each -> OldFile.parse(each.target()))
                  .allMatch(each -> each.isPresent() && each.get().first() >= names.next());
      if (!agrees && !groupAgrees) {
        findings.refuse(
            "%s has no complete block, and the names of the files go to offset %d. A log that was copied or read while it was open has only its first bytes: the name node lists 35"
                .formatted(log.path(), names.next() - 1),
            "Recover its lease (hdfs debug recoverLease -path "
                + log.path()
                + " -retries 10), or restore it from a snapshot.");
      }
    }
    if (logs.isEmpty() && !groupAgrees && state.leftovers()) {
      findings.refuse(
          "there is no log, +tmp has files of the topic, and the consumer group does not have the next offset %d of the names: a commit may have been interrupted, and names alone then lose records"
              .formatted(names.next()),
          "Check logs.dir, or restore the logs from a snapshot.");
    } else if (logs.isEmpty()) {
      findings.note("there is no log: the names of the files decide");
    }
  }

  private void compareWithKafka(long next) {
    if (state.group().isPresent() && state.group().getAsLong() > next) {
      findings.refuse(
          "the consumer group has the offset %d, which is after %d. The sink never commits more than is in its files: files or logs were removed, another connector uses the group, or an operator set the offset"
              .formatted(state.group().getAsLong(), next),
          "Restore the files and logs, or set the group's offset to " + next + ".");
    } else if (state.group().isPresent() && state.group().getAsLong() < next) {
      findings.note(
          "the consumer group has the offset %d, as after a kill"
              .formatted(state.group().getAsLong()));
    }
    if (state.end().isEmpty()) {
      notInKafka();
      return;
    }
    if (state.end().getAsLong() < next) {
      findings.refuse(
          "Kafka ends at offset %d, before the next offset %d: the topic was recreated, or it is another cluster"
              .formatted(state.end().getAsLong(), next),
          "Check bootstrap.servers. If the topic was recreated, use a new table.");
    }
    long beginning = state.beginning().orElse(0);
    if (beginning > next && state.consents().lostRecords()) {
      findings.note(
          "Kafka deleted the offsets %d to %d, as the operator confirms"
              .formatted(next, beginning - 1));
    } else if (beginning > next) {
      findings.refuse(
          "Kafka has deleted the offsets %d to %d before they were committed: retention is shorter than the time since the last commit"
              .formatted(next, beginning - 1),
          "Load these records from another copy. If there is none, repeat with "
              + Consents.LOST_RECORDS
              + ": they are counted as lost.");
    }
  }

  private void notInKafka() {
    if (state.kafka().end().keySet().stream()
        .anyMatch(each -> each.topic().equals(state.topicPartition().topic()))) {
      findings.refuse(
          "Kafka has no such partition of the topic: the topic was recreated with fewer partitions,"
              + " or it is another cluster",
          "Check bootstrap.servers. If the topic was recreated, use a new table.");
    } else {
      findings.note("Kafka's offsets were not compared");
    }
  }
}
