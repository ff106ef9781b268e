/**
 * Sends records that cannot land to the dead letter topic. Start with {@link
 * io.tidemark.connect.pipeline.deadletter.DeadLetters}.
 */
@NullMarked
package io.tidemark.connect.pipeline.deadletter;

import org.jspecify.annotations.NullMarked;
