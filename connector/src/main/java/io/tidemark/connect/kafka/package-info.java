/** The connector's own Kafka clients. Start with {@link KafkaTopicMetadata}. */
@NullMarked
package io.tidemark.connect.kafka;

import org.jspecify.annotations.NullMarked;
