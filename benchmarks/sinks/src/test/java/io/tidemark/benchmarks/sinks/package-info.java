@NullMarked
package io.tidemark.benchmarks.sinks;

import org.jspecify.annotations.NullMarked;
