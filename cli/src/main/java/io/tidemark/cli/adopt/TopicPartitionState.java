package io.tidemark.cli.adopt;

import io.tidemark.cli.adopt.WriteAheadLog.Block;
import io.tidemark.cli.adopt.WriteAheadLog.Rename;
import io.tidemark.store.StoragePath;
import io.tidemark.store.TopicPartition;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * What was found of one topic-partition: all that decides where a connector continues.
 *
 * @param directory the topic's directory below {@code topics.dir}
 * @param files the committed files
 * @param temporary the content of the temporary files that pending renames need; absent if missing
 * @param leftovers whether {@code +tmp} has a file of this topic that is not empty
 * @param log the log of the last life of the sink's task that committed
 * @param former the log of the life before, {@code log.1}
 * @param kafka Kafka's offsets; those of this topic-partition may be missing
 * @param consents what the operator confirms
 */
record TopicPartitionState(
    TopicPartition topicPartition,
    StoragePath directory,
    List<OldFile> files,
    Map<StoragePath, OldFile.Content> temporary,
    boolean leftovers,
    Optional<WriteAheadLog> log,
    Optional<WriteAheadLog> former,
    KafkaOffsets kafka,
    Consents consents) {

  TopicPartitionState {
    files = List.copyOf(files);
    temporary = Map.copyOf(temporary);
  }

  /** Returns the state with what was read of the files of the last block. */
  TopicPartitionState with(List<OldFile> readFiles, Map<StoragePath, OldFile.Content> read) {
    return new TopicPartitionState(
        topicPartition, directory, readFiles, read, leftovers, log, former, kafka, consents);
  }

  /** Returns the log that decides: {@code log} if it has a complete block, else {@code log.1}. */
  Optional<WriteAheadLog> deciding() {
    return log.filter(each -> each.last().isPresent())
        .or(() -> former.filter(each -> each.last().isPresent()));
  }

  /** Returns the renames of the last complete block. */
  List<Rename> renames() {
    return deciding().flatMap(WriteAheadLog::last).map(Block::renames).orElse(List.of());
  }

  /** Returns the renames of the last complete block whose targets do not exist. */
  List<Rename> missing() {
    Set<String> committed = committed();
    return renames().stream().filter(each -> !committed.contains(each.target().name())).toList();
  }

  /**
   * Returns the names of the committed files, without their directories: a record has one file, so
   * no other file has the same first offset; and files may have been moved to other directories.
   */
  Set<String> committed() {
    Set<String> names = new HashSet<>();
    files.forEach(each -> names.add(each.path().name()));
    return names;
  }

  OptionalLong group() {
    return offset(kafka.group());
  }

  OptionalLong beginning() {
    return offset(kafka.beginning());
  }

  OptionalLong end() {
    return offset(kafka.end());
  }

  private OptionalLong offset(Map<TopicPartition, Long> offsets) {
    Long offset = offsets.get(topicPartition);
    return offset == null ? OptionalLong.empty() : OptionalLong.of(offset);
  }
}
