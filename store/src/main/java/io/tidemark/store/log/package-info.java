/** Logs of numbered entries that are put if absent. Start with {@link NumberedLog}. */
@NullMarked
package io.tidemark.store.log;

import org.jspecify.annotations.NullMarked;
