/**
 * The decisions of the reckoner as pure values: what accounts and snapshots make complete. Nothing
 * here reads a clock, a store or Kafka.
 */
@NullMarked
package io.tidemark.connect.ledger;

import org.jspecify.annotations.NullMarked;
