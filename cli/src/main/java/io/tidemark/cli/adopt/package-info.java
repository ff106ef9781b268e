/**
 * What Confluent's HDFS 2 sink left in its directories, and how a connector continues in the same
 * table. {@link io.tidemark.cli.adopt.Adoption} reads and decides; only {@link
 * io.tidemark.cli.adopt.Adopter} changes files.
 */
@NullMarked
package io.tidemark.cli.adopt;

import org.jspecify.annotations.NullMarked;
