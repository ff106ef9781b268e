package io.tidemark.connect.commit.entry;

import io.tidemark.connect.batch.NotLanded;
import io.tidemark.connect.batch.OffsetRange;
import io.tidemark.connect.batch.RecordCounts;
import io.tidemark.connect.staging.StagedFile;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/** An entry of a topic-partition's log. */
public sealed interface CommitEntry {

  /** The identity of this entry: of one attempt to append it. */
  UUID attempt();

  /** Where the log stands after this entry. */
  LogState state();

  /** When it was written, by the writer's clock: for people; no rule depends on it. */
  Instant writtenAt();

  /** A task takes the topic-partition: whoever held it before can commit nothing more. */
  record Claim(UUID attempt, LogState state, Instant writtenAt, Claimant claimant)
      implements CommitEntry {}

  /** A batch: a range of offsets, with every file of every table. */
  record Batch(
      UUID attempt,
      LogState state,
      Instant writtenAt,
      UUID claim,
      OffsetRange range,
      RecordCounts counts,
      NotLanded notLanded,
      List<StagedFile> files)
      implements CommitEntry {

    public Batch {
      files = List.copyOf(files);
      if (counts.total() != range.size()) {
        throw new IllegalArgumentException(
            "the classes of " + range + " are " + counts.total() + " offsets together: " + counts);
      }
      if (!notLanded.counts(counts.landed()).equals(counts) || !notLanded.within(range)) {
        throw new IllegalArgumentException(
            "the offsets of " + range + " that did not land are not those counted: " + notLanded);
      }
      long inFiles = files.stream().mapToLong(StagedFile::records).sum();
      if (inFiles != counts.landed()) {
        throw new IllegalArgumentException(
            counts.landed() + " records of " + range + " landed, but its files hold " + inFiles);
      }
      if (state.next() != range.next()) {
        throw new IllegalArgumentException(
            "the log's next offset is " + state.next() + " after " + range);
      }
    }
  }

  /** An operator moved the log forward: the offsets in the range are not to be landed. */
  record Skip(UUID attempt, LogState state, Instant writtenAt, OffsetRange range)
      implements CommitEntry {

    public Skip {
      if (state.next() != range.next()) {
        throw new IllegalArgumentException(
            "the log's next offset is " + state.next() + " after " + range);
      }
    }
  }

  /**
   * Stands for all entries up to its number, which may be gone: their files are in their tables and
   * their Hive partitions in the catalog.
   */
  record Checkpoint(UUID attempt, LogState state, Instant writtenAt) implements CommitEntry {}
}
