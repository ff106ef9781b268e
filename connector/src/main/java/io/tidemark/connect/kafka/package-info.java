/**
 * What only a Kafka client of our own can tell: identities of topics, their first and last offsets.
 */
@NullMarked
package io.tidemark.connect.kafka;

import org.jspecify.annotations.NullMarked;
