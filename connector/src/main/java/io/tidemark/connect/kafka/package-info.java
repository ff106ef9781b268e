/**
 * The connector's own Kafka clients. They read cluster ids, topic ids, offsets and leader epochs of
 * topics, the end offsets of snapshots, and announcements of batches. They write the topic of
 * events. Start with {@link io.tidemark.connect.kafka.KafkaTopicMetadata}.
 */
@NullMarked
package io.tidemark.connect.kafka;

import org.jspecify.annotations.NullMarked;
