/** Logs of numbered entries that are put if absent. Start with NumberedLog. */
@NullMarked
package io.tidemark.connect.storage.log;

import org.jspecify.annotations.NullMarked;
