/** Time that only goes forward. */
@NullMarked
package io.tidemark.connect.time;

import org.jspecify.annotations.NullMarked;
