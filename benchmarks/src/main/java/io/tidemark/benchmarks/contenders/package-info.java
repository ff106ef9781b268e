/** What is measured: works, and the libraries and limits that contend in them. */
@NullMarked
package io.tidemark.benchmarks.contenders;

import org.jspecify.annotations.NullMarked;
