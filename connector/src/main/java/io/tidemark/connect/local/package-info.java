/** A local disk as storage: for tests and for trying out; one machine, no replication. */
@NullMarked
package io.tidemark.connect.local;

import org.jspecify.annotations.NullMarked;
