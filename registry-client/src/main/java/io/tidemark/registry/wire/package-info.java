/** How the id of a schema travels with a datum. */
@NullMarked
package io.tidemark.registry.wire;

import org.jspecify.annotations.NullMarked;
