/** Who we are to a registry, and how we know that it is the registry: credentials and TLS. */
@NullMarked
package io.tidemark.registry.security;

import org.jspecify.annotations.NullMarked;
