/** The stable interface for partitioners of users. Start with {@link Partitioner}. */
@NullMarked
package io.tidemark.partitioner;

import org.jspecify.annotations.NullMarked;
