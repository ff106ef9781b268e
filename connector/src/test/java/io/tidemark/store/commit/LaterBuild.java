package io.tidemark.store.commit;

import io.tidemark.store.log.JsonFormat;
import java.util.Set;

/** A later build, with a made-up feature that its logs require. */
public final class LaterBuild {
  /** The name of the feature. */
  public static final String FEATURE = "epochs";

  /** Its format of entries. */
  public static final JsonFormat<CommitEntry> FORMAT =
      JsonFormat.evolving("the entry", CommitEntry.class, Set.of(FEATURE))
          .withState(LogState.class);

  private LaterBuild() {}
}
