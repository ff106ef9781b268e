/**
 * The ledger's files in the store: its log, the inbox of accounts, declarations of groups, and
 * requests for snapshots. Also reads the ledgers of other log directories, for groups with tables
 * of several log directories. Start with {@link LedgerLog}.
 */
@NullMarked
package io.tidemark.completeness.files;

import org.jspecify.annotations.NullMarked;
