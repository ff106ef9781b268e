/**
 * The reckoner with its I/O: the cycle that takes accounts and snapshots from the store and Kafka,
 * has them decided, appends the decision to the ledger's log, and has it announced.
 */
@NullMarked
package io.tidemark.connect.reckon;

import org.jspecify.annotations.NullMarked;
