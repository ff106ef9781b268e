/** Requests to a registry over HTTP: endpoints, retries, limits, and parsing of responses. */
@NullMarked
package io.tidemark.registry.http;

import org.jspecify.annotations.NullMarked;
