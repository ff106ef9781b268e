/** The client that schema-repo comes with, for a class loader of its own. */
@NullMarked
package io.tidemark.benchmarks.schemarepo;

import org.jspecify.annotations.NullMarked;
