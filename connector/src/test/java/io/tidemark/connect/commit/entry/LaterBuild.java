package io.tidemark.connect.commit.entry;

import io.tidemark.connect.storage.log.EntryFormat;
import java.util.Set;

/** A later build, with a made-up feature that its logs require. */
public final class LaterBuild {
  /** The name of the feature. */
  public static final String FEATURE = "epochs";

  /** Its format of entries. */
  public static final EntryFormat<CommitEntry> FORMAT = new CommitEntryFormat(Set.of(FEATURE));

  private LaterBuild() {}
}
