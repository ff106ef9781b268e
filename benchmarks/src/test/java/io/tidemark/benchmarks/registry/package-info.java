@NullMarked
package io.tidemark.benchmarks.registry;

import org.jspecify.annotations.NullMarked;
