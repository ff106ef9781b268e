/**
 * Reference records as files that programs in other languages read, and timings of Avro's library
 * and fast-avro on these files.
 */
@NullMarked
package io.tidemark.benchmarks.articles.export;

import org.jspecify.annotations.NullMarked;
