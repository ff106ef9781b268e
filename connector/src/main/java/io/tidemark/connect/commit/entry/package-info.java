/** The entries of a commit log as values, and as the text in which they are stored. */
@NullMarked
package io.tidemark.connect.commit.entry;

import org.jspecify.annotations.NullMarked;
