package io.tidemark.store.publish;

import io.tidemark.store.PrintableText;
import io.tidemark.store.Storage;
import io.tidemark.store.StoragePath;
import io.tidemark.store.StoredFile;
import io.tidemark.store.commit.CommitEntry;
import io.tidemark.store.file.AvroFormat;
import io.tidemark.store.log.NumberedEntry;
import io.tidemark.store.table.DataFile;
import io.tidemark.store.table.StagingDirectories;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves the files of committed entries into their tables. Idempotent: any number of owners may
 * publish the same entry, one after another or concurrently. Thread-safe.
 */
public record Publisher(Storage storage) {

  private static final Logger LOG = LoggerFactory.getLogger(Publisher.class);

  /**
   * Publishes all files of a batch's entry that can be published. A file that an earlier attempt
   * has published, and that was then removed from its table, stays removed.
   *
   * @param claim the staging directory for the marker file of an entry without files, if any
   */
  public void publish(NumberedEntry<CommitEntry> committed, Optional<StoragePath> claim)
      throws IOException, PublishingRefusedException {
    requireListed(committed);
    moveAll(committed, claim);
  }

  /** Publishes an entry of an earlier claim, whose owner may have published it already. */
  public void publishAgain(NumberedEntry<CommitEntry> committed)
      throws IOException, PublishingRefusedException {
    List<DataFile> files = files(committed);
    if (!files.isEmpty()) {
      List<StoredFile> staged = storage.list(files.get(0).staged().parent());
      requireStaged(committed, StagingDirectories.hasMarker(staged, committed.number()));
    }
    moveAll(committed, Optional.empty());
  }

  /**
   * Rejects an entry of this owner whose staged files are missing, before its marker file is
   * created. With that file, the next owner would assume that these files were published and then
   * removed from their tables. This costs one listing of each staging directory of the entry.
   */
  private void requireListed(NumberedEntry<CommitEntry> committed)
      throws IOException, PublishingRefusedException {
    List<DataFile> files = files(committed);
    if (files.isEmpty()) {
      return;
    }
    List<StoredFile> listed = listed(files);
    StoragePath first = files.get(0).staged().parent();
    List<StoredFile> inFirst =
        listed.stream().filter(file -> file.path().parent().equals(first)).toList();
    // An earlier attempt that has begun may have moved files.
    boolean begun = StagingDirectories.hasMarker(inFirst, committed.number());
    if (!begun && !paths(listed).containsAll(staged(files))) {
      requireStaged(committed, false);
    }
  }

  /** Returns whether a file of these entries is still staged, and so certainly not published. */
  public boolean isStaged(List<NumberedEntry<CommitEntry>> entries) throws IOException {
    List<DataFile> files = entries.stream().flatMap(entry -> files(entry).stream()).toList();
    return !Collections.disjoint(paths(listed(files)), staged(files));
  }

  private List<StoredFile> listed(List<DataFile> files) throws IOException {
    List<StoredFile> listed = new ArrayList<>();
    for (StoragePath directory :
        files.stream().map(file -> file.staged().parent()).distinct().toList()) {
      listed.addAll(storage.list(directory));
    }
    return listed;
  }

  private static Set<StoragePath> paths(List<StoredFile> files) {
    return files.stream().map(StoredFile::path).collect(Collectors.toUnmodifiableSet());
  }

  private static Set<StoragePath> staged(List<DataFile> files) {
    return files.stream().map(DataFile::staged).collect(Collectors.toUnmodifiableSet());
  }

  /**
   * Rejects an entry whose staged files are missing or have another length. Call this method before
   * the marker file is created.
   *
   * @param begun whether a publisher may have moved files of the entry. Otherwise another program
   *     has removed a file that is missing
   */
  private void requireStaged(NumberedEntry<CommitEntry> committed, boolean begun)
      throws IOException, PublishingRefusedException {
    List<DataFile> files = files(committed);
    List<PublishPlan> stuck = new ArrayList<>();
    for (DataFile file : files) {
      problem(file, files, committed.entry().attempt(), begun)
          .ifPresent(action -> stuck.add(PublishPlan.of(file, action)));
    }
    if (!stuck.isEmpty()) {
      throw refused(committed, stuck);
    }
  }

  /** Returns why a file cannot be published, as far as its staging directory shows. */
  private Optional<PublishPlan.Action> problem(
      DataFile file, List<DataFile> files, UUID attempt, boolean begun) throws IOException {
    Optional<StoredFile> staged = storage.find(file.staged());
    if (staged.isPresent()) {
      return staged
          .filter(found -> found.bytes() != file.bytes())
          .map(found -> PublishPlan.Action.STAGED_DAMAGED);
    }
    if (storage.find(file.path()).isPresent()) {
      return Optional.empty();
    }
    if (storage.find(file.staged().parent()).isEmpty()) {
      // For an entry with a marker file, the attempt to publish it returns the same.
      return begun ? Optional.empty() : Optional.of(PublishPlan.Action.LOST);
    }
    return !begun || isNamedOtherwise(file, files, attempt)
        ? Optional.of(PublishPlan.Action.STAGED_MISSING)
        : Optional.empty();
  }

  /** Returns whether a staged file exists that the entry does not name, so it was damaged. */
  private boolean isNamedOtherwise(DataFile missing, List<DataFile> files, UUID attempt)
      throws IOException {
    Set<StoragePath> named = staged(files);
    return storage.list(missing.staged().parent()).stream()
        .map(StoredFile::path)
        .anyMatch(left -> left.name().startsWith(attempt + "-") && !named.contains(left));
  }

  private static List<DataFile> files(NumberedEntry<CommitEntry> committed) {
    return committed.entry().asBatch().map(CommitEntry.Batch::files).orElse(List.of());
  }

  /** Publishes an entry. {@code claim} is as in {@link #publish}. */
  private void moveAll(NumberedEntry<CommitEntry> committed, Optional<StoragePath> claim)
      throws IOException, PublishingRefusedException {
    List<DataFile> files = files(committed);
    Optional<StoragePath> directory =
        files.stream().findFirst().map(file -> file.staged().parent()).or(() -> claim);
    if (directory.isPresent()) {
      putMarker(directory.get(), committed.number());
    }
    List<PublishPlan> stuck = new ArrayList<>();
    for (DataFile file : files) {
      PublishPlan plan = move(file, committed.entry().attempt());
      if (plan.action() == PublishPlan.Action.TAKEN) {
        LOG.warn(
            "{}: entry {} was published with this file of {} records. Since then another program has removed it from table {} (was a Hive partition dropped or rewritten?). It stays removed.",
            file.path(),
            committed.number(),
            file.records(),
            file.table());
      } else if (plan.action() != PublishPlan.Action.DONE) {
        stuck.add(plan);
      }
    }
    if (!stuck.isEmpty()) {
      throw refused(committed, stuck);
    }
  }

  /** Puts the marker file of an entry, and deletes the previous one. */
  private void putMarker(StoragePath claim, long entry) throws IOException {
    try {
      storage.create(StagingDirectories.marker(claim, entry)).close();
    } catch (FileAlreadyExistsException | NoSuchFileException e) {
      LOG.debug(
          "the marker file of entry {} exists, or a later owner has removed its directory: {}",
          entry,
          e.toString());
    }
    storage.delete(StagingDirectories.marker(claim, entry - 1));
  }

  /** Renames first, and examines files only if this fails: normally one call for a file. */
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
    // Check the source first: a file that another owner moves in between is found at its target.
    boolean staged = storage.find(file.staged()).isPresent();
    boolean claimed = staged || storage.find(file.staged().parent()).isPresent();
    Optional<StoredFile> target = storage.find(file.path());
    if (target.isPresent()) {
      return PublishPlan.of(file, attempt, staged, target.get().bytes(), identity(target.get()));
    }
    if (staged) {
      return PublishPlan.of(file, PublishPlan.Action.RENAME);
    }
    return PublishPlan.of(file, claimed ? PublishPlan.Action.TAKEN : PublishPlan.Action.LOST);
  }

  private Optional<UUID> identity(StoredFile file) throws IOException {
    if (file.directory()) {
      return Optional.empty();
    }
    try (InputStream in = storage.open(file.path())) {
      return AvroFormat.entryOf(in, storage.location() + file.path());
    }
  }

  private static PublishingRefusedException refused(
      NumberedEntry<CommitEntry> committed, List<PublishPlan> stuck) {
    StoragePath marker =
        StagingDirectories.marker(files(committed).get(0).staged().parent(), committed.number());
    return new PublishingRefusedException(
        stuck.stream()
            .map(
                plan ->
                    "%s: this file of table %s and log entry %d cannot be published: %s. %s"
                        .formatted(
                            plan.file().path(),
                            plan.file().table(),
                            committed.number(),
                            plan.reason(),
                            cure(plan, marker)))
            .collect(Collectors.joining(" ")));
  }

  private static String cure(PublishPlan plan, StoragePath marker) {
    StoragePath staged = plan.file().staged();
    return switch (plan.action()) {
      case STAGED_DAMAGED ->
          "Restore it from a copy, then restart the task. To discard its records, remove it and create the empty file %s."
              .formatted(marker);
      case STAGED_MISSING ->
          "The staged file was removed before it was published, or the log entry was damaged and no longer names the entry's files. Restore %s from a snapshot or the trash, or the entry from a copy, then restart the task. To discard its records, create the empty file %s."
              .formatted(staged, marker);
      case PUBLISHED_DAMAGED ->
          "Its staged file was published already. Restore the published file from a copy, then restart the task. To discard its records, move the file that is there now to another directory.";
      case LOST ->
          "%s Otherwise files were removed from %s by another program, or the log entry that names this directory was damaged. Restore %s from a snapshot or the trash, or the entry from a copy, then restart the task. To discard its records, create that directory and the empty file %s, then restart the task."
              .formatted(StagingDirectories.REMOVED, staged.parent(), staged, marker);
      default -> "Move the other file away, then restart the task.";
    };
  }
}
