/** A client of registries with Confluent's REST API. */
@NullMarked
package io.tidemark.registry.confluent;

import org.jspecify.annotations.NullMarked;
