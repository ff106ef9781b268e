/**
 * Decorators of the services that measure calls, their latency, and calls without a response. Start
 * with {@link io.tidemark.connect.measured.MeasuredStorage}.
 */
@NullMarked
package io.tidemark.connect.measured;

import org.jspecify.annotations.NullMarked;
