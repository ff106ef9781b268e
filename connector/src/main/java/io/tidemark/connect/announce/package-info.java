/** Shows what the ledger says where people and schedulers look: beside the data, and in Hive. */
@NullMarked
package io.tidemark.connect.announce;

import org.jspecify.annotations.NullMarked;
