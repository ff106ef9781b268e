/** The releases of the servers that a stack can start, as {@code local-stack/servers} has them. */
@NullMarked
package io.tidemark.stack.release;

import org.jspecify.annotations.NullMarked;
