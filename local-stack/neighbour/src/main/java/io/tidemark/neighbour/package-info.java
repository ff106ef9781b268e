/** A second connector, whose plugin a worker loads together with Tidemark's. */
@NullMarked
package io.tidemark.neighbour;

import org.jspecify.annotations.NullMarked;
