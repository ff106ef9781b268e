/** Sends records that cannot land to the dead letter topic. */
@NullMarked
package io.tidemark.connect.pipeline.deadletter;

import org.jspecify.annotations.NullMarked;
