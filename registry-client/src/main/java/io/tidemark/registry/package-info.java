/** Schema registries as the rest of Tidemark sees them: a port, ids, and two kinds of failure. */
@NullMarked
package io.tidemark.registry;

import org.jspecify.annotations.NullMarked;
