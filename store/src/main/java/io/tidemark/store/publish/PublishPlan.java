package io.tidemark.store.publish;

import io.tidemark.store.table.DataFile;
import java.util.Optional;
import java.util.UUID;

/** The action that publishes one file of an entry, from the observed files. */
record PublishPlan(DataFile file, Action action, String reason) {
  enum Action {
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

  /** Returns the plan of a file whose target name is free; the action shows what was staged. */
  static PublishPlan of(DataFile file, Action action) {
    return new PublishPlan(
        file,
        action,
        switch (action) {
          case RENAME -> "staged, and the target name is free";
          case STAGED_DAMAGED ->
              "the staged file " + file.staged() + " does not have its " + file.bytes() + " bytes";
          default -> "neither the staged nor the published file exists";
        });
  }

  /**
   * Returns the plan of a file whose target exists, with that length and that writer: empty if the
   * connector did not write it. With the entry's UUID and length, it is the published file.
   */
  static PublishPlan of(
      DataFile file, UUID attempt, boolean staged, long bytes, Optional<UUID> writer) {
    boolean ours = writer.equals(Optional.of(attempt));
    if (ours && bytes == file.bytes()) {
      return new PublishPlan(file, Action.DONE, "the published file has this entry's identity");
    }
    boolean published = ours || !staged;
    return new PublishPlan(
        file,
        published ? Action.PUBLISHED_DAMAGED : Action.TARGET_TAKEN,
        "%sanother file has this name: %d bytes%s; expected %d bytes of entry %s"
            .formatted(
                published ? "the published file is damaged, or " : "",
                bytes,
                writer.map(other -> " of entry " + other).orElse(", not of this connector"),
                file.bytes(),
                attempt));
  }
}
