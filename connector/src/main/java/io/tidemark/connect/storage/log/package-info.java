/** Logs of numbered entries, each put if absent: appending, settling, fencing, folding. */
@NullMarked
package io.tidemark.connect.storage.log;

import org.jspecify.annotations.NullMarked;
