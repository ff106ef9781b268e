/** Decorators of the services that measure calls, latency and missing responses. */
@NullMarked
package io.tidemark.connect.measured;

import org.jspecify.annotations.NullMarked;
