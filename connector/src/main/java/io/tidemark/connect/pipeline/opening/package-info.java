/**
 * Opens a topic-partition's log: binds its tables, claims the log, and recovers it. Start with
 * {@link io.tidemark.connect.pipeline.opening.LogOpener}.
 */
@NullMarked
package io.tidemark.connect.pipeline.opening;

import org.jspecify.annotations.NullMarked;
