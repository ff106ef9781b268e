package io.tidemark.store.log;

import java.util.UUID;

/** An entry of a {@link NumberedLog}. */
public interface LogEntry {

  /** Returns the UUID of this entry. All tries to append the entry use it. */
  UUID attempt();
}
