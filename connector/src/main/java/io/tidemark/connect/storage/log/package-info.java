/**
 * Logs of numbered entries that are put if absent. Start with {@link
 * io.tidemark.connect.storage.log.NumberedLog}.
 */
@NullMarked
package io.tidemark.connect.storage.log;

import org.jspecify.annotations.NullMarked;
