/** What the ledger knows after an entry: topics, tables, groups, blocks and announced batches. */
@NullMarked
package io.tidemark.connect.ledger.state;

import org.jspecify.annotations.NullMarked;
