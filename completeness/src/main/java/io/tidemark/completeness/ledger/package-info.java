/**
 * The ledger's state after an entry: topics, tables, groups, holds and announced batches. Start
 * with {@link LedgerState}.
 */
@NullMarked
package io.tidemark.completeness.ledger;

import org.jspecify.annotations.NullMarked;
