package io.tidemark.cli.adopt;

import io.tidemark.cli.deployment.CommandFailure;
import io.tidemark.cli.deployment.ExitCode;
import io.tidemark.store.PutIfAbsent;
import io.tidemark.store.Storage;
import io.tidemark.store.StoragePath;
import io.tidemark.store.TopicPartition;
import io.tidemark.store.commit.CommitEntry;
import io.tidemark.store.commit.CommitLog;
import io.tidemark.store.commit.LogState;
import io.tidemark.store.log.CorruptLogException;
import io.tidemark.store.log.NumberedEntry;
import io.tidemark.store.schema.SchemaConflictException;
import io.tidemark.store.table.DataFile;
import io.tidemark.store.table.Table;
import io.tidemark.store.table.TableSchemas;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.TreeSet;
import org.apache.avro.Schema;
import org.apache.avro.file.DataFileWriter;
import org.apache.avro.generic.GenericDatumWriter;

/**
 * What must be written so that the old sink continues after the new connector. Without logs the old
 * sink continues after the greatest offset in the names of its files, and it does not know those of
 * the new connector. So each topic-partition gets a file without records, in whose name is the last
 * offset.
 */
public record WayBack(Storage storage, OldSink sink, Successor successor) {

  /**
   * What a topic-partition needs.
   *
   * @param next the first offset that the old sink must read
   * @param file the file without records; empty if the names have the offset already, or if the
   *     group's offset decides
   * @param named whether the old sink has files of the topic-partition
   */
  public record Step(
      TopicPartition topicPartition, long next, Optional<StoragePath> file, boolean named) {

    /** Returns what to write, as lines. */
    List<String> lines(String group) {
      List<String> lines = new ArrayList<>();
      lines.add("%s: the old sink continues at offset %d".formatted(topicPartition, next));
      lines.add(
          file.map(path -> "  an Avro file without records: " + path)
              .orElse(
                  named
                      ? "  nothing in topics.dir: the names of its files end before this offset"
                      : "  nothing in topics.dir: it has no file of the topic-partition, so the group's offset decides"));
      lines.add(
          "  the offset of its consumer group: kafka-consumer-groups.sh --bootstrap-server HOST:9092 --group %s --topic %s:%d --reset-offsets --to-offset %d --execute"
              .formatted(group, topicPartition.topic(), topicPartition.partition(), next));
      return lines;
    }
  }

  /** Finds the steps of all topics. Changes nothing. */
  public List<Step> steps()
      throws IOException, CorruptLogException, SchemaConflictException, CommandFailure {
    List<Step> steps = new ArrayList<>();
    for (String topic :
        sink.topics(new TreeSet<>(CommitLog.topics(storage, successor.logDirectory())))) {
      Optional<StoragePath> directory = sink.topicsDirectory(topic);
      Optional<StoragePath> logs = sink.logsDirectory(topic);
      if (directory.isEmpty() || logs.isEmpty()) {
        continue;
      }
      OldFiles files = OldFiles.list(storage, sink, topic);
      for (TopicPartition each :
          CommitLog.topicPartitions(storage, successor.logDirectory(), topic)) {
        step(each, files, directory.get().child(topic), logs.get().child(topic))
            .ifPresent(steps::add);
      }
    }
    return steps;
  }

  private Optional<Step> step(
      TopicPartition topicPartition, OldFiles files, StoragePath directory, StoragePath logs)
      throws IOException, CorruptLogException, SchemaConflictException, CommandFailure {
    CommitLog log = successor.log(storage, topicPartition);
    List<NumberedEntry<CommitEntry>> entries = log.all();
    if (entries.isEmpty()) {
      return Optional.empty();
    }
    LogState state = entries.get(entries.size() - 1).entry().state();
    if (state.next() == LogState.UNKNOWN) {
      return Optional.empty();
    }
    if (state.generation().number() > 1) {
      throw failure(log, "the topic was recreated since", "Begin with empty directories instead.");
    }
    StoragePath old = logs.child(Integer.toString(topicPartition.partition()));
    for (String name : List.of("log", "log.1")) {
      if (storage.find(old.child(name)).isPresent()) {
        throw failure(
            log,
            old.child(name) + " exists, so the old sink would continue after it",
            "If the topic was not adopted, the old sink's files and these are of different offsets. Otherwise move it away, unless the old sink was started since.");
      }
    }
    requirePublished(log, entries, state);
    long named = NamedOffsets.of(files.committed(topicPartition.partition())).next();
    if (named > state.next()) {
      throw failure(
          log,
          "it ends before offset %d, and the old sink has files up to %d"
              .formatted(state.next(), named - 1),
          "The old sink was started meanwhile. Compare its newest files with Kafka.");
    }
    return Optional.of(
        new Step(
            topicPartition,
            state.next(),
            named == state.next() || state.next() == 0 || !hasSchema(topicPartition.topic(), files)
                ? Optional.empty()
                : Optional.of(
                    place(files, directory, entries).child(name(topicPartition, state.next() - 1))),
            named > 0));
  }

  /** Without any file the old sink continues at the offset of its group. */
  private boolean hasSchema(String topic, OldFiles files)
      throws IOException, SchemaConflictException {
    Optional<Table> table = successor.table(topic);
    return !files.committed().isEmpty()
        || (table.isPresent()
            && new TableSchemas(storage, table.get().layout()).current().isPresent());
  }

  private static String name(TopicPartition of, long last) {
    return String.format(
        Locale.ROOT, "%s+%d+%010d+%010d.avro", of.topic(), of.partition(), last, last);
  }

  /**
   * Returns the directory of a file of the topic, old or new; the newest of a log if it has any.
   */
  private static StoragePath place(
      OldFiles files, StoragePath directory, List<NumberedEntry<CommitEntry>> entries) {
    StoragePath place =
        files.partitions().stream()
            .reduce((one, other) -> other)
            .filter(each -> !each.isEmpty())
            .map(directory::child)
            .orElse(directory);
    for (NumberedEntry<CommitEntry> entry : entries) {
      List<DataFile> landed =
          entry.entry().asBatch().map(CommitEntry.Batch::files).orElse(List.of());
      place = landed.isEmpty() ? place : landed.get(0).path().parent();
    }
    return place;
  }

  private void requirePublished(
      CommitLog log, List<NumberedEntry<CommitEntry>> entries, LogState state)
      throws IOException, CommandFailure {
    for (NumberedEntry<CommitEntry> entry : entries) {
      if (entry.number() > state.publishedThrough()) {
        for (DataFile each :
            entry.entry().asBatch().map(CommitEntry.Batch::files).orElse(List.of())) {
          if (storage.find(each.path()).isEmpty()) {
            throw failure(
                log,
                "entry %d is committed, and its file %s is not in the table yet"
                    .formatted(entry.number(), each.path()),
                "Start the new connector, which publishes it, stop it, and repeat.");
          }
        }
      }
    }
  }

  private CommandFailure failure(CommitLog log, String problem, String cure) {
    return new CommandFailure(
        ExitCode.OPERATOR,
        "%s%s: %s. %s".formatted(storage.location(), log.directory(), problem, cure));
  }

  public List<String> lines(List<Step> steps) {
    List<String> lines = new ArrayList<>();
    for (Step each : steps) {
      lines.addAll(each.lines(sink.consumerGroup()));
    }
    return lines;
  }

  /** Writes the files without records. */
  public void write(List<Step> steps)
      throws IOException, SchemaConflictException, CommandFailure, InterruptedException {
    for (Step each : steps) {
      if (each.file().isPresent()) {
        StoragePath file = each.file().get();
        new PutIfAbsent(storage, file.parent())
            .put(file.name(), empty(each.topicPartition().topic()));
      }
    }
  }

  /** The old sink takes its present schema from the file with the greatest offset. */
  private byte[] empty(String topic)
      throws IOException, SchemaConflictException, CommandFailure, InterruptedException {
    List<Schema> old =
        OldSchemas.read(storage, OldFiles.list(storage, sink, topic), successor.threads());
    Optional<Schema> schema =
        old.isEmpty()
            ? new TableSchemas(storage, successor.connector().tables(topic).get(0).layout())
                .current()
                .map(each -> each.schema())
            : Optional.of(old.get(old.size() - 1));
    if (schema.isEmpty()) {
      throw new CommandFailure(
          ExitCode.OPERATOR,
          "%s: neither a file of the old sink nor the table has a schema. Delete the offsets of the old sink's group, if nothing has landed."
              .formatted(topic));
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataFileWriter<Object> writer = new DataFileWriter<>(new GenericDatumWriter<>())) {
      writer.create(schema.get(), bytes);
    }
    return bytes.toByteArray();
  }
}
