/**
 * Kafka clients of the connector's own: identities, offsets and leader epochs of topics, the end
 * offsets of snapshots, announcements of batches, and the topic of events.
 */
@NullMarked
package io.tidemark.connect.kafka;

import org.jspecify.annotations.NullMarked;
