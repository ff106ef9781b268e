/**
 * The public interface for user-defined partitioners, which is stable across releases. {@link
 * io.tidemark.partitioner.Partitioner} has an example.
 */
@NullMarked
package io.tidemark.partitioner;

import org.jspecify.annotations.NullMarked;
