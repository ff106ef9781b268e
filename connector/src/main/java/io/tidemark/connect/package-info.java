/**
 * The connector and its task. Start with {@link io.tidemark.connect.TidemarkSinkTask}. Only this
 * package depends on Kafka Connect's API.
 */
@NullMarked
package io.tidemark.connect;

import org.jspecify.annotations.NullMarked;
