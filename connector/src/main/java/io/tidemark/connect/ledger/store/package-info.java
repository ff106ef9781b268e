/**
 * The ledger's files in the store: its log, the inbox of accounts, declarations of groups, requests
 * for snapshots; and the ledgers of other logs. Start with {@link LedgerLog}.
 */
@NullMarked
package io.tidemark.connect.ledger.store;

import org.jspecify.annotations.NullMarked;
