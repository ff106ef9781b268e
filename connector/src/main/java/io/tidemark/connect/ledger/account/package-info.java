/**
 * Accounts: the reports of tasks on published and registered entries, as values and as text. Also
 * the JSON that all files of the ledger have in common. Start with {@link AccountedEntry}.
 */
@NullMarked
package io.tidemark.connect.ledger.account;

import org.jspecify.annotations.NullMarked;
