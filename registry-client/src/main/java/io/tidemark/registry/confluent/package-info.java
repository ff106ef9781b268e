/** A client of the registries that speak Confluent's REST API. */
@NullMarked
package io.tidemark.registry.confluent;

import org.jspecify.annotations.NullMarked;
