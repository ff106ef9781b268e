/** The runner: measures cells in turn, and writes medians, tables, plots and result files. */
@NullMarked
package io.tidemark.benchmarks.run;

import org.jspecify.annotations.NullMarked;
