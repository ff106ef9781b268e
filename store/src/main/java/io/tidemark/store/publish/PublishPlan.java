package io.tidemark.store.publish;

import io.tidemark.store.table.DataFile;
import java.util.Optional;
import java.util.UUID;

/** The action that publishes one file of an entry, from the observed files. */
public record PublishPlan(DataFile file, Action action, String reason) {
  private static final String MISSING = "neither the staged nor the published file exists";

  public enum Action {
    /** Rename the staged file to its name in the table. */
    RENAME,
    /** Do nothing: the entry's file is published. */
    DONE,
    /** Stop: another file has the target name. An operator must move that file. */
    TARGET_TAKEN,
    /** Stop: the staged file does not have the length that the entry records, so it was damaged. */
    STAGED_DAMAGED,
    /** Stop: another program removed the staged file before any publisher began. */
    STAGED_MISSING,
    /** Stop: the staged file was published, and the published file was then replaced or damaged. */
    PUBLISHED_DAMAGED,
    /**
     * The staged and the published file are missing, but the staging directory exists. Only
     * publishing removes single files from a staging directory. So an earlier attempt published the
     * file, and the file was then removed from its table.
     */
    TAKEN,
    /** Stop: the staged file, its directory and the published file are missing. */
    LOST
  }

  public enum Staged {
    THERE,
    /** A file of another length exists. */
    DAMAGED,
    /** The file is missing, its directory exists; no publisher has begun to publish the entry. */
    MISSING,
    /** The file is missing, its directory exists, and the entry may have been published. */
    TAKEN,
    /** The file and its directory are missing. */
    GONE
  }

  /** A file at the target name; {@code attempt} is empty if the connector did not write it. */
  public record Existing(long bytes, Optional<UUID> attempt) {}

  /** A file at the target with the entry's UUID and length is the published file. */
  public static PublishPlan of(
      DataFile file, UUID attempt, Staged staged, Optional<Existing> existing) {
    if (existing.isPresent()) {
      Existing there = existing.get();
      boolean ours = there.attempt().equals(Optional.of(attempt));
      if (ours && there.bytes() == file.bytes()) {
        return new PublishPlan(file, Action.DONE, "the published file has this entry's identity");
      }
      boolean published = ours || staged != Staged.THERE;
      return new PublishPlan(
          file,
          published ? Action.PUBLISHED_DAMAGED : Action.TARGET_TAKEN,
          "%sanother file has this name: %d bytes%s; expected %d bytes of entry %s"
              .formatted(
                  published ? "the published file is damaged, or " : "",
                  there.bytes(),
                  there
                      .attempt()
                      .map(other -> " of entry " + other)
                      .orElse(", not of this connector"),
                  file.bytes(),
                  attempt));
    }
    return switch (staged) {
      case DAMAGED ->
          new PublishPlan(
              file,
              Action.STAGED_DAMAGED,
              "the staged file " + file.staged() + " does not have its " + file.bytes() + " bytes");
      case MISSING -> new PublishPlan(file, Action.STAGED_MISSING, MISSING);
      case THERE -> new PublishPlan(file, Action.RENAME, "staged, and the target name is free");
      case TAKEN -> new PublishPlan(file, Action.TAKEN, MISSING);
      case GONE -> new PublishPlan(file, Action.LOST, MISSING);
    };
  }
}
