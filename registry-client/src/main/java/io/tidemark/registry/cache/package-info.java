/** Caches in front of any registry: schemas by id, subjects, and a cache file of the schemas. */
@NullMarked
package io.tidemark.registry.cache;

import org.jspecify.annotations.NullMarked;
