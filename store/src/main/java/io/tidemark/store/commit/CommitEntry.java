package io.tidemark.store.commit;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.tidemark.store.StoragePath;
import io.tidemark.store.batch.BatchIdCounts;
import io.tidemark.store.batch.NotLanded;
import io.tidemark.store.batch.OffsetRange;
import io.tidemark.store.batch.RecordCounts;
import io.tidemark.store.log.JsonFormat;
import io.tidemark.store.log.LogEntry;
import io.tidemark.store.table.DataFile;
import io.tidemark.store.table.TableLayout;
import io.tidemark.store.table.TableName;
import io.tidemark.store.table.TableRoot;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;

/** An entry of a topic-partition's log. Messages of its exceptions follow "cannot be read". */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
@JsonSubTypes({
  @JsonSubTypes.Type(value = CommitEntry.Claim.class, name = "claim"),
  @JsonSubTypes.Type(value = CommitEntry.Batch.class, name = "batch"),
  @JsonSubTypes.Type(value = CommitEntry.Skip.class, name = "skip"),
  @JsonSubTypes.Type(value = CommitEntry.Checkpoint.class, name = "checkpoint"),
  @JsonSubTypes.Type(value = CommitEntry.Adopted.class, name = "adopted")
})
public sealed interface CommitEntry extends LogEntry {

  /** {@code docs/PROTOCOL.md} has an example of each entry. */
  JsonFormat<CommitEntry> FORMAT =
      JsonFormat.evolving("the entry", CommitEntry.class, Set.of(LogState.ADOPTED))
          .withState(LogState.class);

  /** The state of the log after this entry. */
  LogState state();

  /** The time according to the writer's clock. No rule depends on it. */
  Instant writtenAt();

  /**
   * The {@link #identity} of the entry before; empty for the first entry and for a checkpoint. So a
   * log that was restored from a copy, or has two branches, does not look like one that continues.
   */
  Optional<UUID> before();

  /** The attempt that appended the entry with this number, also if a checkpoint replaced it. */
  default UUID identity() {
    return attempt();
  }

  /** Calls the function for this entry's type, so that each caller has one for every type. */
  default <R> R match(
      Function<Claim, R> claim,
      Function<Batch, R> batch,
      Function<Skip, R> skip,
      Function<Checkpoint, R> checkpoint,
      Function<Adopted, R> adopted) {
    return this instanceof Claim one
        ? claim.apply(one)
        : this instanceof Batch one
            ? batch.apply(one)
            : this instanceof Skip one
                ? skip.apply(one)
                : this instanceof Adopted one
                    ? adopted.apply(one)
                    : checkpoint.apply((Checkpoint) this);
  }

  default Optional<Batch> asBatch() {
    return this instanceof Batch batch ? Optional.of(batch) : Optional.empty();
  }

  default boolean isClaim() {
    return this instanceof Claim;
  }

  default boolean isCheckpoint() {
    return this instanceof Checkpoint;
  }

  private static void requireNext(LogState state, OffsetRange range) {
    if (state.next() != range.next()) {
      throw new IllegalArgumentException(
          "state.next is %d, but the offset after the range %s is %d"
              .formatted(state.next(), range, range.next()));
    }
  }

  /** A claim: a task acquires the topic-partition, and the former owner can no longer commit. */
  record Claim(
      UUID attempt, Optional<UUID> before, LogState state, Instant writtenAt, Claimant claimant)
      implements CommitEntry {}

  /** A range of offsets, with all of its files in all tables; {@code batchIds} are announced. */
  record Batch(
      UUID attempt,
      Optional<UUID> before,
      LogState state,
      Instant writtenAt,
      UUID claim,
      OffsetRange range,
      RecordCounts counts,
      NotLanded notLanded,
      List<TableRoot> tables,
      List<DataFile> files,
      BatchIdCounts batchIds)
      implements CommitEntry {

    public Batch {
      tables = List.copyOf(tables);
      files = List.copyOf(files);
      if (counts.total() != range.size()) {
        throw new IllegalArgumentException(
            "the counts of %s add up to %d, not to %d: %s"
                .formatted(range, counts.total(), range.size(), counts));
      }
      if (!notLanded.counts(counts.landed()).equals(counts) || !notLanded.within(range)) {
        throw new IllegalArgumentException(
            "notLanded of %s does not agree with its counts %s: %s"
                .formatted(range, counts, notLanded));
      }
      long inFiles = files.stream().mapToLong(DataFile::records).sum();
      if (inFiles != counts.landed()) {
        throw new IllegalArgumentException(
            counts.landed() + " records of " + range + " landed, but its files have " + inFiles);
      }
      requireNext(state, range);
      Map<TableName, StoragePath> roots = new HashMap<>();
      for (TableRoot table : tables) {
        StoragePath other = roots.put(table.table(), table.root());
        if (other != null && !other.equals(table.root())) {
          throw new IllegalArgumentException(
              table.table() + " has two roots: " + other + " and " + table.root());
        }
      }
      for (DataFile file : files) {
        StoragePath root = roots.get(file.table());
        if (root == null || !file.path().isBelow(root)) {
          throw new IllegalArgumentException(
              file.path() + " is not below the root of its table " + file.table() + ": " + root);
        }
      }
      batchIds.requireWithin(
          counts,
          files.stream()
              .collect(
                  Collectors.groupingBy(
                      file -> file.table().toString(), Collectors.summingLong(DataFile::records))));
    }

    public TableLayout layoutOf(DataFile file) {
      return tables.stream()
          .filter(table -> table.table().equals(file.table()))
          .findFirst()
          .orElseThrow()
          .layout();
    }
  }

  /** An operator's skip: the offsets in the range are not to be landed. */
  record Skip(
      UUID attempt, Optional<UUID> before, LogState state, Instant writtenAt, OffsetRange range)
      implements CommitEntry {

    public Skip {
      requireNext(state, range);
    }
  }

  /** Replaces all entries up to the attempt {@code replaces}, published and registered. */
  record Checkpoint(UUID attempt, UUID replaces, LogState state, Instant writtenAt)
      implements CommitEntry {

    @Override
    public Optional<UUID> before() {
      return Optional.empty();
    }

    @Override
    public UUID identity() {
      return replaces;
    }
  }

  /**
   * The first entry of a log that continues after another sink, whose files stay in the table as
   * they are. They are in no count.
   *
   * @param from the other sink's connector, for people
   * @param exactFrom Hive partitions that begin before this time may have the other sink's files
   */
  record Adopted(
      UUID attempt,
      Optional<UUID> before,
      LogState state,
      Instant writtenAt,
      String from,
      Instant exactFrom)
      implements CommitEntry {

    public Adopted {
      if (!state.adopted() || state.next() != state.first() || state.first() < 0) {
        throw new IllegalArgumentException(
            "not the state of a log that continues after another sink: " + state);
      }
    }
  }
}
