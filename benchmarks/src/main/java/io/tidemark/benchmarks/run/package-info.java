/** The runner: cells in turn, medians, tables, plots and result files. */
@NullMarked
package io.tidemark.benchmarks.run;

import org.jspecify.annotations.NullMarked;
