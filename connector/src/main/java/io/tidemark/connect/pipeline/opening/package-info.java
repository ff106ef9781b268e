/** Opens a topic-partition's log: its tables are bound, the log is claimed and recovered. */
@NullMarked
package io.tidemark.connect.pipeline.opening;

import org.jspecify.annotations.NullMarked;
