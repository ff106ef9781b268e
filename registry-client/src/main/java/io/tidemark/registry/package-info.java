/**
 * The client's interfaces ({@link SchemaRegistry}, {@link Subjects}), schema ids and exceptions.
 */
@NullMarked
package io.tidemark.registry;

import org.jspecify.annotations.NullMarked;
