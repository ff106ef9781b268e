/** The entries of a commit log as values, and their JSON format. */
@NullMarked
package io.tidemark.connect.commit.entry;

import org.jspecify.annotations.NullMarked;
