/** The services with their calls counted, so that their latency is known and silence noticed. */
@NullMarked
package io.tidemark.connect.measured;

import org.jspecify.annotations.NullMarked;
