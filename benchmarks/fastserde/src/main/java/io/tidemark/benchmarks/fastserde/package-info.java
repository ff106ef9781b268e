/** RTB House's avro-fastserde as a contender, loaded by a class loader of its own. */
@NullMarked
package io.tidemark.benchmarks.fastserde;

import org.jspecify.annotations.NullMarked;
