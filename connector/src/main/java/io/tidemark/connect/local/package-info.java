/** Storage on a local disk, for tests and trials: one machine, no replication. */
@NullMarked
package io.tidemark.connect.local;

import org.jspecify.annotations.NullMarked;
