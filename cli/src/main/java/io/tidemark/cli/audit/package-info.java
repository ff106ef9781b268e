/** The audit: compares the ledger and the commit logs with the store, the catalog and Kafka. */
@NullMarked
package io.tidemark.cli.audit;

import org.jspecify.annotations.NullMarked;
