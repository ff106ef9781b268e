/** Lookups of schemas by registry-client and by schema-repo's own client. */
@NullMarked
package io.tidemark.benchmarks.registry;

import org.jspecify.annotations.NullMarked;
