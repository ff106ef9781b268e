@NullMarked
package io.tidemark.benchmarks;

import org.jspecify.annotations.NullMarked;
