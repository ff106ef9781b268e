/**
 * Storage on a local disk, for tests and trials: one machine, no replication. Start with {@link
 * io.tidemark.connect.local.LocalStorage}.
 */
@NullMarked
package io.tidemark.connect.local;

import org.jspecify.annotations.NullMarked;
