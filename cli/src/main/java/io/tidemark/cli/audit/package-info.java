/** Whether the store, the catalog and Kafka have what the ledger and the commit logs say. */
@NullMarked
package io.tidemark.cli.audit;

import org.jspecify.annotations.NullMarked;
