/** A converter with which Iceberg's sink reads the records of this benchmark. */
@NullMarked
package io.tidemark.benchmarks.iceberg;

import org.jspecify.annotations.NullMarked;
