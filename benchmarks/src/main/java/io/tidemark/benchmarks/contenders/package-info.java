/** The measured works, and the contenders: libraries and upper limits. */
@NullMarked
package io.tidemark.benchmarks.contenders;

import org.jspecify.annotations.NullMarked;
