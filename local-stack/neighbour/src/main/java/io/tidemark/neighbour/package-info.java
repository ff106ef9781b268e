/** A connector of others, as far as a worker that runs it beside ours can tell. */
@NullMarked
package io.tidemark.neighbour;

import org.jspecify.annotations.NullMarked;
