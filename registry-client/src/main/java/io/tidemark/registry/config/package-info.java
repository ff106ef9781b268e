/** The settings that people have for the vendors' clients, read into a client of ours. */
@NullMarked
package io.tidemark.registry.config;

import org.jspecify.annotations.NullMarked;
