/**
 * What the ledger has in the store: its log, the inbox of accounts, declarations of groups,
 * requests for snapshots, and the ledgers of other logs.
 */
@NullMarked
package io.tidemark.connect.ledger.store;

import org.jspecify.annotations.NullMarked;
