/** Lookups of schemas by registry-client and by the client that schema-repo comes with. */
@NullMarked
package io.tidemark.benchmarks.registry;

import org.jspecify.annotations.NullMarked;
