/**
 * A topic-partition from open() to close(): its phases, its failures, and the commits of its
 * batches. Start with {@link io.tidemark.connect.pipeline.session.TopicPartitionSession}.
 */
@NullMarked
package io.tidemark.connect.pipeline.session;

import org.jspecify.annotations.NullMarked;
