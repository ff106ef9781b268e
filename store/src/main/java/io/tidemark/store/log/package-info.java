/**
 * Logs of numbered entries that are put if absent. Start with {@link
 * io.tidemark.store.log.NumberedLog}.
 */
@NullMarked
package io.tidemark.store.log;

import org.jspecify.annotations.NullMarked;
