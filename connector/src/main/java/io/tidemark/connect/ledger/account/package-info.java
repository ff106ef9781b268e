/**
 * Accounts: the reports of tasks about published and registered entries, as values and as text.
 * Start with {@link AccountedEntry}. {@link LedgerJson} is the JSON that all files of the ledger
 * have in common.
 */
@NullMarked
package io.tidemark.connect.ledger.account;

import org.jspecify.annotations.NullMarked;
