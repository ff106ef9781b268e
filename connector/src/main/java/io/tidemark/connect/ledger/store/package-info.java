/**
 * The ledger's files in the store: its log, the inbox of accounts, declarations of groups, and
 * requests for snapshots. Also reads the ledgers of other logs, for groups whose tables belong to
 * several logs. Start with {@link LedgerLog}.
 */
@NullMarked
package io.tidemark.connect.ledger.store;

import org.jspecify.annotations.NullMarked;
