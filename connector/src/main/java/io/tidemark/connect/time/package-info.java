/** Time that only goes forward, and threads that repeat a step in it. */
@NullMarked
package io.tidemark.connect.time;

import org.jspecify.annotations.NullMarked;
