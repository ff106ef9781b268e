/** The only package with Kafka Connect's API. Start with {@link TidemarkSinkTask}. */
@NullMarked
package io.tidemark.connect;

import org.jspecify.annotations.NullMarked;
