/** The reference records: schemas, and generators of datums from fixed seeds. */
@NullMarked
package io.tidemark.benchmarks.records;

import org.jspecify.annotations.NullMarked;
