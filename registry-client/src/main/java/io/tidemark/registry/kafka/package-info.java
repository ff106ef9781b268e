/** Serializer and deserializer for Kafka's clients: a schema id, then the Avro binary. */
@NullMarked
package io.tidemark.registry.kafka;

import org.jspecify.annotations.NullMarked;
