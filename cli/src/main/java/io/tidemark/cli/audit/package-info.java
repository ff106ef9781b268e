/**
 * The audit: compares the ledger and the commit logs with the store, the catalog and Kafka. Start
 * with {@link io.tidemark.cli.audit.Audit}.
 */
@NullMarked
package io.tidemark.cli.audit;

import org.jspecify.annotations.NullMarked;
