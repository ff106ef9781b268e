package io.tidemark.store.log;

import java.util.UUID;

public interface LogEntry {

  /** Returns the UUID of this entry. All tries to append the entry use it. */
  UUID attempt();
}
