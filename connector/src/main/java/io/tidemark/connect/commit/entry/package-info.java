/**
 * The entries of a commit log as values, and their JSON format. Start with {@link
 * io.tidemark.connect.commit.entry.CommitEntry}.
 */
@NullMarked
package io.tidemark.connect.commit.entry;

import org.jspecify.annotations.NullMarked;
