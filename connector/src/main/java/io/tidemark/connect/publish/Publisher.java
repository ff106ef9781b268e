package io.tidemark.connect.publish;

import io.tidemark.connect.commit.entry.CommitEntry;
import io.tidemark.connect.commit.entry.LogState;
import io.tidemark.connect.format.DataFormat;
import io.tidemark.connect.storage.Storage;
import io.tidemark.connect.storage.StoragePath;
import io.tidemark.connect.storage.StoredFile;
import io.tidemark.connect.storage.log.NumberedEntry;
import io.tidemark.connect.table.DataFile;
import io.tidemark.connect.table.StagingDirectories;
import io.tidemark.connect.text.PrintableText;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves the files of committed entries into their tables. Idempotent: any number of owners may
 * publish the same entry, one after another or at once. Safe for use by many threads.
 */
public final class Publisher {

  private static final Logger LOG = LoggerFactory.getLogger(Publisher.class);

  private final Storage storage;
  private final DataFormat format;

  /** {@code format} is that of the files, and says which entry a file belongs to. */
  public Publisher(Storage storage, DataFormat format) {
    this.storage = storage;
    this.format = format;
  }

  /**
   * Publishes every file of a batch's entry that can be.
   *
   * @param claim a staging directory of the entry's claim, where there is a table
   * @throws IOException the store is away: try again
   * @throws TableBlockedException some file cannot be published; the others are
   */
  public void publish(NumberedEntry<CommitEntry> committed, Optional<StoragePath> claim)
      throws IOException, TableBlockedException {
    publish(committed, claim, EnumSet.of(PublishPlan.Action.DONE));
  }

  /**
   * As {@link #publish}, for an entry of an earlier claim, whose owner may have published it
   * already: a file that was removed from its table since stays removed.
   */
  public void publishAgain(NumberedEntry<CommitEntry> committed)
      throws IOException, TableBlockedException {
    requireStaged(committed);
    publish(
        committed, Optional.empty(), EnumSet.of(PublishPlan.Action.DONE, PublishPlan.Action.TAKEN));
  }

  /**
   * Refuses an entry whose staged files are not as they were written, as far as names and lengths
   * tell. To be called before the entry gets its mark: without one a missing file was not taken by
   * a publisher.
   */
  private void requireStaged(NumberedEntry<CommitEntry> committed)
      throws IOException, TableBlockedException {
    List<DataFile> files = files(committed);
    if (files.isEmpty()) {
      return;
    }
    // Where Kafka told no epoch, the entry may be of a build that made no marks.
    boolean begun =
        committed.entry().state().leaderEpoch() == LogState.UNKNOWN
            || StagingDirectories.isMarked(
                storage, files.get(0).staged().parent(), committed.number());
    List<PublishPlan> stuck = new ArrayList<>();
    for (DataFile file : files) {
      Optional<StoredFile> staged = storage.find(file.staged());
      PublishPlan.Staged state = PublishPlan.Staged.THERE;
      if (staged.isPresent() && staged.get().bytes() != file.bytes()) {
        state = PublishPlan.Staged.DAMAGED;
      } else if (staged.isEmpty()
          && storage.find(file.path()).isEmpty()
          && storage.find(file.staged().parent()).isPresent()
          && (!begun || isNamedOtherwise(file, files, committed.entry().attempt()))) {
        state = PublishPlan.Staged.MISSING;
      }
      if (state != PublishPlan.Staged.THERE) {
        stuck.add(PublishPlan.of(file, committed.entry().attempt(), state, Optional.empty()));
      }
    }
    if (!stuck.isEmpty()) {
      throw new TableBlockedException(message(committed.number(), stuck));
    }
  }

  /** A staged file of the entry is left that the entry does not name: the entry was damaged. */
  private boolean isNamedOtherwise(DataFile missing, List<DataFile> files, UUID attempt)
      throws IOException {
    Set<StoragePath> named = files.stream().map(DataFile::staged).collect(Collectors.toSet());
    return storage.list(missing.staged().parent()).stream()
        .map(StoredFile::path)
        .anyMatch(left -> left.name().startsWith(attempt + "-") && !named.contains(left));
  }

  private static List<DataFile> files(NumberedEntry<CommitEntry> committed) {
    return committed
        .entry()
        .match(
            claim -> List.of(), CommitEntry.Batch::files, skip -> List.of(), folded -> List.of());
  }

  /** {@code claim} is a staging directory of the entry's claim, for an entry without files. */
  private void publish(
      NumberedEntry<CommitEntry> committed,
      Optional<StoragePath> claim,
      Set<PublishPlan.Action> enough)
      throws IOException, TableBlockedException {
    List<DataFile> files = files(committed);
    Optional<StoragePath> marked =
        files.stream().findFirst().map(file -> file.staged().parent()).or(() -> claim);
    if (marked.isPresent()) {
      mark(marked.get(), committed.number());
    }
    List<PublishPlan> stuck = new ArrayList<>();
    for (DataFile file : files) {
      PublishPlan plan = move(file, committed.entry().attempt());
      if (!enough.contains(plan.action())) {
        stuck.add(plan);
      } else if (plan.action() == PublishPlan.Action.TAKEN) {
        LOG.warn(
            "{}: entry {} was published with this file of {} records, which something else has removed from table {} "
                + "since (a Hive partition that was dropped or written anew?); it stays removed",
            file.path(),
            committed.number(),
            file.records(),
            file.table());
      }
    }
    if (!stuck.isEmpty()) {
      throw new TableBlockedException(message(committed.number(), stuck));
    }
  }

  /**
   * Shows how far the log has come, in place of the mark before. A file, as that does not bring the
   * directory back where a later owner has removed it.
   */
  private void mark(StoragePath claim, long entry) throws IOException {
    try {
      storage.create(StagingDirectories.mark(claim, entry)).close();
    } catch (FileAlreadyExistsException | NoSuchFileException e) {
      LOG.debug("entry {} has its mark, or a later owner: {}", entry, e.toString());
    }
    storage.delete(StagingDirectories.mark(claim, entry - 1));
  }

  /**
   * Renames, and only where that does not go through looks at what stands there; so the usual way
   * is one call a file.
   */
  private PublishPlan move(DataFile file, UUID attempt) throws IOException {
    try {
      storage.rename(file.staged(), file.path());
      return new PublishPlan(file, PublishPlan.Action.DONE, "renamed");
    } catch (FileAlreadyExistsException | NoSuchFileException e) {
      LOG.debug("{} was not renamed to {}: {}", file.staged(), file.path(), PrintableText.of(e));
    }
    PublishPlan plan = observe(file, attempt);
    if (plan.action() != PublishPlan.Action.RENAME) {
      return plan;
    }
    storage.makeDirectories(file.path().parent());
    try {
      storage.rename(file.staged(), file.path());
    } catch (FileAlreadyExistsException | NoSuchFileException e) {
      LOG.debug("{} was moved by another owner: {}", file.staged(), PrintableText.of(e));
      return observe(file, attempt);
    }
    return new PublishPlan(file, PublishPlan.Action.DONE, "renamed");
  }

  private PublishPlan observe(DataFile file, UUID attempt) throws IOException {
    // The source first: a file that moves in between is then seen at its target.
    PublishPlan.Staged staged = staged(file);
    Optional<StoredFile> target = storage.find(file.path());
    Optional<PublishPlan.Standing> standing =
        target.isEmpty()
            ? Optional.empty()
            : Optional.of(new PublishPlan.Standing(target.get().bytes(), identity(target.get())));
    return PublishPlan.of(file, attempt, staged, standing);
  }

  private PublishPlan.Staged staged(DataFile file) throws IOException {
    if (storage.find(file.staged()).isPresent()) {
      return PublishPlan.Staged.THERE;
    }
    return storage.find(file.staged().parent()).isPresent()
        ? PublishPlan.Staged.TAKEN
        : PublishPlan.Staged.GONE;
  }

  private Optional<UUID> identity(StoredFile file) throws IOException {
    if (file.directory()) {
      return Optional.empty();
    }
    try (InputStream in = storage.open(file.path())) {
      return format.entryOf(in, storage.location() + file.path());
    }
  }

  private static String message(long number, List<PublishPlan> stuck) {
    StringBuilder message = new StringBuilder();
    for (PublishPlan plan : stuck) {
      message
          .append(plan.file().path())
          .append(": table ")
          .append(plan.file().table())
          .append(" is blocked: log entry ")
          .append(number)
          .append(" has a file that cannot be published: ")
          .append(plan.reason())
          .append(". ")
          .append(cure(plan, number))
          .append(' ');
    }
    return message.toString().trim();
  }

  private static String cure(PublishPlan plan, long number) {
    StoragePath staged = plan.file().staged();
    StoragePath mark = StagingDirectories.mark(staged.parent(), number);
    return switch (plan.action()) {
      case STAGED_DAMAGED ->
          "Restore it from a copy, then restart the task; to give its records up, remove it and make the empty file "
              + mark
              + '.';
      case STAGED_MISSING ->
          "Nothing has begun to publish the entry, or a file of it is left that the entry does not name: the staged file "
              + "was removed, or the entry was damaged. Restore "
              + staged
              + " from a snapshot or the trash, or the entry from a copy, then restart the task; to give its records up, "
              + "make the empty file "
              + mark
              + '.';
      case PUBLISHED_DAMAGED ->
          "Its staged file was taken. Restore the published file from a copy, then restart the task. To give its records "
              + "up, move what stands there away.";
      case LOST, TAKEN ->
          "Files were removed from "
              + staged.parent()
              + " by something else than this connector, or the log's entry, which names it so, was damaged. Restore "
              + staged
              + " from a snapshot or the trash, or the entry from a copy, then restart the task; to give its records up, make that directory, "
              + "empty, instead.";
      default -> "Move the other file away, then restart the task.";
    };
  }
}
