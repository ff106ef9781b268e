/**
 * Recovery after a claim: publishes committed files and removes uncommitted ones. Start with {@link
 * io.tidemark.connect.recovery.Recovery}.
 */
@NullMarked
package io.tidemark.connect.recovery;

import org.jspecify.annotations.NullMarked;
