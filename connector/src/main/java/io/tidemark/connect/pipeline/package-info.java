/** The steps in their order; a session for each topic-partition. */
@NullMarked
package io.tidemark.connect.pipeline;

import org.jspecify.annotations.NullMarked;
