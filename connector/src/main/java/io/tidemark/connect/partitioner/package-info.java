/**
 * The public interface for user-defined partitioners, which is stable across releases. {@link
 * io.tidemark.connect.partitioner.Partitioner} has an example.
 */
@NullMarked
package io.tidemark.connect.partitioner;

import org.jspecify.annotations.NullMarked;
