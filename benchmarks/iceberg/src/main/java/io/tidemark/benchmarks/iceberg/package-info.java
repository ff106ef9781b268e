/** What Iceberg's sink needs to read the records of this benchmark. */
@NullMarked
package io.tidemark.benchmarks.iceberg;

import org.jspecify.annotations.NullMarked;
