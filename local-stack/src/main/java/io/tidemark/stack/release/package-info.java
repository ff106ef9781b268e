/** The releases of servers that a stack can start, which {@code local-stack/servers} defines. */
@NullMarked
package io.tidemark.stack.release;

import org.jspecify.annotations.NullMarked;
