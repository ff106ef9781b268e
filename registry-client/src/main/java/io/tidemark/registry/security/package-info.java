/** Authentication of the client (credentials) and of the registry (TLS). */
@NullMarked
package io.tidemark.registry.security;

import org.jspecify.annotations.NullMarked;
