/** Accounts of tasks, the entries of the ledger and manifests: as values, and as their text. */
@NullMarked
package io.tidemark.connect.ledger.entry;

import org.jspecify.annotations.NullMarked;
