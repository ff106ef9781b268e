/**
 * The entries of the ledger, snapshots, completions and manifests: as values and as text. Start
 * with {@link LedgerEntry}.
 */
@NullMarked
package io.tidemark.connect.ledger.entry;

import org.jspecify.annotations.NullMarked;
