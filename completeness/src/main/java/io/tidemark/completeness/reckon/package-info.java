/**
 * The reckoner's loop. It reads accounts from the store and snapshots from Kafka, calls the package
 * {@code ledger} for the decision, appends the decision to the ledger's log, and <i>shows</i> it:
 * writes it to {@code _SUCCESS} files, Hive tables and events. Start with {@link Reckoner}.
 */
@NullMarked
package io.tidemark.completeness.reckon;

import org.jspecify.annotations.NullMarked;
