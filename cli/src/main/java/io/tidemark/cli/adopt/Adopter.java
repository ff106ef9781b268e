package io.tidemark.cli.adopt;

import io.tidemark.cli.adopt.WriteAheadLog.Rename;
import io.tidemark.cli.deployment.CommandFailure;
import io.tidemark.cli.deployment.ExitCode;
import io.tidemark.store.PrintableText;
import io.tidemark.store.Storage;
import io.tidemark.store.StoragePath;
import io.tidemark.store.TopicPartition;
import io.tidemark.store.commit.CommitEntry;
import io.tidemark.store.commit.CommitLog;
import io.tidemark.store.commit.LogOwner;
import io.tidemark.store.commit.LogState;
import io.tidemark.store.commit.TopicIdentity;
import io.tidemark.store.commit.TopicMetadata;
import io.tidemark.store.log.AppendOutcome;
import io.tidemark.store.log.CorruptLogException;
import io.tidemark.store.log.LogRefusedException;
import io.tidemark.store.log.OperatorConsent;
import io.tidemark.store.log.OutcomeUnknownException;
import io.tidemark.store.partition.PartitionSpan;
import io.tidemark.store.partition.TimePartitioned;
import io.tidemark.store.partition.UnusablePartitionException;
import io.tidemark.store.schema.SchemaConflictException;
import io.tidemark.store.table.LayoutFile;
import io.tidemark.store.table.LogIdentity;
import io.tidemark.store.table.LogTables;
import io.tidemark.store.table.RecordedLayout;
import io.tidemark.store.table.Table;
import io.tidemark.store.table.TableOwner;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;

/**
 * Adopts topics of the old sink, in steps of which each can be repeated:
 *
 * <ol>
 *   <li>the identity of the new connector's log directory
 *   <li>for each topic: the old sink's logs get names that it does not look for
 *   <li>an unfinished commit is finished
 *   <li>if wanted, files are moved to the directories in which Hive looks
 *   <li>the files by which the topic's directory is a table of the new connector
 *   <li>the first entry of the log of each topic-partition: from now on the new connector continues
 *   <li>if wanted, the topic's part of {@code +tmp} is removed
 * </ol>
 *
 * Of two adoptions at the same time, the second to append an entry fails. Used by one thread.
 *
 * @param progress gets a line for each step
 */
public record Adopter(
    Storage storage,
    OldSink sink,
    Successor successor,
    TopicMetadata topics,
    Clock clock,
    Consumer<String> progress) {

  /** The spans of time after the present one in which old files are searched. */
  private static final int SPANS_MOST = 10_000;

  /** Adopts the topics of a report that refuses none. */
  public void adopt(AdoptionReport report, Consents consents, boolean removeTemporary)
      throws IOException,
          CorruptLogException,
          LogRefusedException,
          SchemaConflictException,
          CommandFailure,
          InterruptedException {
    LogOwner owner =
        new LogOwner(successor.connector().logId(), successor.connector().connectorName());
    if (!LogOwner.existsIn(storage, successor.logDirectory())) {
      owner.requireNew(storage, successor.logDirectory());
    }
    UUID log = owner.establish(storage, successor.logDirectory());
    for (AdoptionReport.Topic topic : report.topics()) {
      if (topic.partitions().stream().anyMatch(each -> each.decision().next().isPresent())) {
        adopt(topic, log, consents, removeTemporary);
      } else {
        progress.accept(
            "%s: nothing was committed, so there is nothing to adopt".formatted(topic.topic()));
      }
    }
  }

  private void adopt(
      AdoptionReport.Topic topic, UUID log, Consents consents, boolean removeTemporary)
      throws IOException,
          CorruptLogException,
          LogRefusedException,
          SchemaConflictException,
          CommandFailure,
          InterruptedException {
    TopicIdentity identity = identity(topic.topic());
    for (AdoptionReport.Partition each : topic.partitions()) {
      makeInert(topic.logs().child(Integer.toString(each.topicPartition().partition())));
    }
    for (AdoptionReport.Partition each : topic.partitions()) {
      for (Rename rename : each.decision().pending()) {
        storage.makeDirectories(rename.target().parent());
        move(rename.temporary(), rename.target());
      }
    }
    if (consents.moves()) {
      moveToHive(topic);
    }
    // The files have changed since they were examined.
    OldFiles files = list(topic);
    Table table = successor.table(topic.topic()).orElseThrow();
    putTable(topic.topic(), table, files, log, identity);
    Instant exactFrom = exactFrom(table, files.partitions());
    for (AdoptionReport.Partition each : topic.partitions()) {
      OptionalLong next = each.decision().next();
      if (next.isPresent()) {
        append(each.topicPartition(), LogState.adopted(identity, next.getAsLong()), exactFrom);
      }
    }
    progress.accept(
        "%s: adopted. Totals of Hive partitions from %s on are exact"
            .formatted(topic.topic(), exactFrom));
    if (removeTemporary) {
      StoragePath temporary =
          topic.directory().parent().child(OldFiles.TEMPORARY).child(topic.topic());
      if (storage.deleteTree(temporary)) {
        progress.accept("%s: removed %s".formatted(topic.topic(), temporary));
      }
    }
  }

  private OldFiles list(AdoptionReport.Topic topic) throws IOException {
    return OldFiles.list(storage, sink, topic.topic());
  }

  /** Moves files to the directories in which Hive looks. Their names stay, and are unique. */
  private void moveToHive(AdoptionReport.Topic topic)
      throws IOException, CommandFailure, InterruptedException {
    Map<StoragePath, StoragePath> files = Misplaced.committed(list(topic));
    Map<StoragePath, StoragePath> moves =
        successor.misplaced(storage, sink, topic.topic(), topic.directory(), files).moves();
    for (Map.Entry<StoragePath, StoragePath> each : moves.entrySet()) {
      storage.makeDirectories(each.getValue().parent());
      move(each.getKey(), each.getValue());
    }
  }

  private TopicIdentity identity(String topic) throws IOException, CommandFailure {
    TopicIdentity identity = topics.identity(topic);
    if (!identity.known() || !topics.agreedIdentity(topic).equals(identity)) {
      throw new CommandFailure(
          ExitCode.UNKNOWN,
          "%s: brokers return no topic id, or different ones. The topic was recreated a moment ago, or brokers are older than Kafka 2.8. Repeat the command, or upgrade the brokers."
              .formatted(topic));
    }
    return identity;
  }

  private void makeInert(StoragePath directory) throws IOException, CommandFailure {
    // The log that decides is the last one.
    for (String name : List.of("log.1", "log")) {
      StoragePath log = directory.child(name);
      if (storage.find(log).isPresent()) {
        move(log, Adoption.inert(log));
      }
    }
  }

  /** Renames a file, unless an earlier try or another adoption has done it. */
  private void move(StoragePath source, StoragePath target) throws IOException, CommandFailure {
    try {
      storage.rename(source, target);
      progress.accept("renamed %s to %s".formatted(source, target));
    } catch (FileAlreadyExistsException | NoSuchFileException e) {
      if (storage.find(source).isPresent() || storage.find(target).isEmpty()) {
        throw new CommandFailure(
            ExitCode.OPERATOR,
            "%s%s was not renamed to %s: %s. Another program changes these directories at the same time, such as another tidemark adopt or the old connector. Stop it, and repeat."
                .formatted(storage.location(), source, target, PrintableText.of(e)),
            e);
      }
    }
  }

  private void putTable(String topic, Table table, OldFiles files, UUID log, TopicIdentity identity)
      throws IOException,
          CorruptLogException,
          LogRefusedException,
          SchemaConflictException,
          InterruptedException {
    new TableOwner(storage, table.layout())
        .own(
            topic,
            new LogIdentity(
                log,
                successor.connector().logId(),
                storage.location() + successor.logDirectory(),
                identity.clusterId()),
            OperatorConsent.NONE);
    new LogTables(storage, successor.logDirectory()).add(table.name(), table.layout(), topic);
    if (!files.committed().isEmpty()) {
      OldSchemas.put(storage, files, successor, table);
      new LayoutFile(storage, table.layout()).put(RecordedLayout.of(table.partitioning()));
    }
  }

  private void append(TopicPartition topicPartition, LogState state, Instant exactFrom)
      throws IOException, CorruptLogException, CommandFailure {
    CommitLog log = successor.log(storage, topicPartition);
    Optional<String> other = successor.otherLog(storage, topicPartition, state.first());
    if (other.isPresent()) {
      throw new CommandFailure(
          ExitCode.OPERATOR,
          "%s%s: %s. %s"
              .formatted(
                  storage.location(), log.directory(), other.get(), Successor.CURE_OF_OTHER_LOG));
    }
    if (log.last().isPresent()) {
      progress.accept("%s: was adopted before".formatted(topicPartition));
      return;
    }
    log.create();
    CommitEntry.Adopted entry =
        new CommitEntry.Adopted(
            UUID.randomUUID(), Optional.empty(), state, clock.instant(), sink.name(), exactFrom);
    if (!(outcome(log, entry) instanceof AppendOutcome.Appended<CommitEntry>)) {
      throw new CommandFailure(
          ExitCode.OPERATOR,
          "%s%s: another tidemark adopt, or the new connector, wrote the first entry at the same time. Let it end, and repeat this command to compare: it changes nothing that is adopted."
              .formatted(storage.location(), log.directory()));
    }
    progress.accept("%s: continues at offset %d".formatted(topicPartition, state.next()));
  }

  private static AppendOutcome<CommitEntry> outcome(CommitLog log, CommitEntry entry)
      throws IOException, CorruptLogException {
    try {
      return log.append(1, entry);
    } catch (OutcomeUnknownException e) {
      return log.resolve(1, entry);
    }
  }

  /** Returns the time from which no Hive partition that begins then has an old file. */
  private Instant exactFrom(Table table, Set<String> directories) {
    Instant now = clock.instant();
    Instant exactFrom = now;
    Optional<TimePartitioned> time = table.partitioning().time();
    if (time.isEmpty() || table.partitioning().columns().size() != time.get().columns().size()) {
      return exactFrom;
    }
    try {
      Instant at = now;
      for (int i = 0; i < SPANS_MOST; i++) {
        Optional<PartitionSpan> span = time.get().span(at.toEpochMilli());
        if (span.isEmpty()) {
          return exactFrom;
        }
        at = span.get().until();
        exactFrom = directories.contains(span.get().partition().path()) ? at : exactFrom;
      }
    } catch (UnusablePartitionException e) {
      progress.accept("later Hive partitions have no time: " + PrintableText.of(e));
    }
    return exactFrom;
  }
}
