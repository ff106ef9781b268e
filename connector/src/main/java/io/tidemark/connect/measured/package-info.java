/** Decorators of the services that measure calls, their latency, and calls without a response. */
@NullMarked
package io.tidemark.connect.measured;

import org.jspecify.annotations.NullMarked;
