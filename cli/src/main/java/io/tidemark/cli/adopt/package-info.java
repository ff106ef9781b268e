/**
 * What Confluent's HDFS 2 sink left in its directories, and what it means for a connector that
 * continues in the same table. Nothing here changes a file. Start with {@link
 * io.tidemark.cli.adopt.Adoption}.
 */
@NullMarked
package io.tidemark.cli.adopt;

import org.jspecify.annotations.NullMarked;
