package io.tidemark.connect.commit.entry;

import io.tidemark.connect.storage.log.EntryFormat;
import java.util.Set;

/** A build from before this one, which knows none of the features that logs require now. */
public final class EarlierBuild {
  /** How it reads entries. */
  public static final EntryFormat<CommitEntry> FORMAT = new CommitEntryFormat(Set.of());

  private EarlierBuild() {}
}
