/**
 * The reckoner's loop. It reads accounts from the store and snapshots from Kafka, calls the package
 * {@code decide} for the decision, appends the decision to the ledger's log, and calls the package
 * {@code show}. Start with {@link Reckoner}.
 */
@NullMarked
package io.tidemark.completeness.reckon;

import org.jspecify.annotations.NullMarked;
