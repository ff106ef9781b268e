/**
 * The reckoner with its I/O: the ledger's log, the inbox of accounts, and the cycle that turns
 * snapshots and accounts into completions.
 */
@NullMarked
package io.tidemark.connect.reckon;

import org.jspecify.annotations.NullMarked;
