/** Settings of a client, with the keys of Confluent's clients. */
@NullMarked
package io.tidemark.registry.config;

import org.jspecify.annotations.NullMarked;
