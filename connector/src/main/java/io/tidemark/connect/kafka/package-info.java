/**
 * The connector's own Kafka clients. They read ids, offsets and leader epochs of topics, and
 * announcements of batches, and they write events. Start with {@link KafkaTopicMetadata}.
 */
@NullMarked
package io.tidemark.connect.kafka;

import org.jspecify.annotations.NullMarked;
