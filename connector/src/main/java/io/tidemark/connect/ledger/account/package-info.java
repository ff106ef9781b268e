/**
 * Accounts: the reports of tasks about published and registered entries, as values and as text.
 * Start with {@link AccountedEntry}.
 */
@NullMarked
package io.tidemark.connect.ledger.account;

import org.jspecify.annotations.NullMarked;
