/** Requests to a registry over HTTP: endpoints, rounds, bounds, and what an answer means. */
@NullMarked
package io.tidemark.registry.http;

import org.jspecify.annotations.NullMarked;
