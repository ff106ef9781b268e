/** Recovery after a claim: publishes committed files, removes uncommitted ones; see Recovery. */
@NullMarked
package io.tidemark.connect.recovery;

import org.jspecify.annotations.NullMarked;
