package io.tidemark.connect.publish;

import io.tidemark.connect.table.DataFile;
import java.util.Optional;
import java.util.UUID;

/**
 * What is to be done to publish one file of a committed entry, decided from what was seen: pure, so
 * that it can be printed and tested.
 */
public record PublishPlan(DataFile file, Action action, String reason) {
  private static final String MISSING = "neither the staged nor the published file is there";

  /** The steps that there are. */
  public enum Action {
    /** Rename the staged file to its place in the table. */
    RENAME,
    /** Our file stands there: nothing to do. */
    DONE,
    /** Something else stands there: the table is blocked until an operator has moved it away. */
    BLOCKED,
    /** The staged file is not as long as it was written: it was damaged. */
    STAGED_DAMAGED,
    /**
     * The staged file is gone, though nothing has begun to publish its entry: something else has
     * removed it.
     */
    STAGED_MISSING,
    /** The staged file was taken, and what stands at its place is no longer it. */
    PUBLISHED_DAMAGED,
    /**
     * Neither the staged nor the published file is there, but the staged one's directory is, from
     * which only publishing takes single files: an entry of an earlier claim was published, and the
     * file has been removed from its table since.
     */
    TAKEN,
    /** Neither the staged nor the published file is there, nor the staged one's directory. */
    LOST
  }

  /** What is to be seen of a staged file. */
  public enum Staged {
    /** The file is there. */
    THERE,
    /** A file of another length is there. */
    DAMAGED,
    /** The file is gone, its directory is there, and nothing has begun to publish the entry. */
    MISSING,
    /** The file is gone, its directory is there. */
    TAKEN,
    /** The file is gone with its directory. */
    GONE
  }

  /**
   * What stands at a file's place in the table.
   *
   * @param attempt the entry's identity in the file's metadata; none when it is not a file of ours
   */
  public record Standing(long bytes, Optional<UUID> attempt) {}

  /**
   * Decides by identity: a file that stands there with the entry's UUID and length is the published
   * one.
   */
  public static PublishPlan of(
      DataFile file, UUID attempt, Staged staged, Optional<Standing> standing) {
    if (standing.isPresent()) {
      Standing there = standing.get();
      if (there.attempt().equals(Optional.of(attempt)) && there.bytes() == file.bytes()) {
        return new PublishPlan(file, Action.DONE, "stands there with this entry's identity");
      }
      boolean published = there.attempt().equals(Optional.of(attempt)) || staged != Staged.THERE;
      return new PublishPlan(
          file,
          published ? Action.PUBLISHED_DAMAGED : Action.BLOCKED,
          (published ? "the published file is damaged, or " : "")
              + "another file stands there: "
              + there.bytes()
              + " bytes"
              + there.attempt().map(other -> " of entry " + other).orElse(", not of this connector")
              + "; expected "
              + file.bytes()
              + " bytes of entry "
              + attempt);
    }
    return switch (staged) {
      case DAMAGED ->
          new PublishPlan(
              file,
              Action.STAGED_DAMAGED,
              "the staged file " + file.staged() + " does not have its " + file.bytes() + " bytes");
      case MISSING -> new PublishPlan(file, Action.STAGED_MISSING, MISSING);
      case THERE -> new PublishPlan(file, Action.RENAME, "staged, and its place is free");
      case TAKEN -> new PublishPlan(file, Action.TAKEN, MISSING);
      case GONE -> new PublishPlan(file, Action.LOST, MISSING);
    };
  }
}
