/**
 * Measures the calls of services: their latency, and calls without a response. Start with {@link
 * io.tidemark.connect.measured.MeasuredService}.
 */
@NullMarked
package io.tidemark.connect.measured;

import org.jspecify.annotations.NullMarked;
