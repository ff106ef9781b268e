/** A client of the registries that speak Confluent's REST API. */
@NullMarked
package io.tidemark.registry.http;

import org.jspecify.annotations.NullMarked;
