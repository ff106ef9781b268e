/** The connector, its task and its configuration: the only place that knows Kafka Connect's API. */
@NullMarked
package io.tidemark.connect;

import org.jspecify.annotations.NullMarked;
