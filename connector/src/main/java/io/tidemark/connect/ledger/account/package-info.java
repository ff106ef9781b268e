/**
 * What tasks report of settled batches: accounts as values and as text, and the JSON that all files
 * of the ledger have in common.
 */
@NullMarked
package io.tidemark.connect.ledger.account;

import org.jspecify.annotations.NullMarked;
