/** RTB House's avro-fastserde as a contender, loaded by a separate class loader. */
@NullMarked
package io.tidemark.benchmarks.fastserde;

import org.jspecify.annotations.NullMarked;
