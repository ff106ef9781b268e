/** A cache in front of any registry. */
@NullMarked
package io.tidemark.registry.cache;

import org.jspecify.annotations.NullMarked;
