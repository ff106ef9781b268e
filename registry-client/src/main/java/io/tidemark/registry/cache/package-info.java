/** Caches in front of any registry: schemas by id, subjects, and a copy of the schemas on disk. */
@NullMarked
package io.tidemark.registry.cache;

import org.jspecify.annotations.NullMarked;
