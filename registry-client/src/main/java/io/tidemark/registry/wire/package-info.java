/** The formats of schema ids in records. */
@NullMarked
package io.tidemark.registry.wire;

import org.jspecify.annotations.NullMarked;
