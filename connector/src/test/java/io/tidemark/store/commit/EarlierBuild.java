package io.tidemark.store.commit;

import io.tidemark.store.log.EntryFormat;
import java.util.Set;

/** An earlier build, which knows none of the features that logs require now. */
public final class EarlierBuild {
  /** Its format of entries. */
  public static final EntryFormat<CommitEntry> FORMAT = new CommitEntryFormat(Set.of());

  private EarlierBuild() {}
}
