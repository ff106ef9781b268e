/**
 * What a class of one's own implements to divide tables: a small interface that stays as it is from
 * release to release. {@link io.tidemark.connect.partitioner.Partitioner} has an example.
 */
@NullMarked
package io.tidemark.connect.partitioner;

import org.jspecify.annotations.NullMarked;
