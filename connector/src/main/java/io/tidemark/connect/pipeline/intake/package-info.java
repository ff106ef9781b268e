/** Takes the records of a topic-partition into batches, and decides what becomes of each one. */
@NullMarked
package io.tidemark.connect.pipeline.intake;

import org.jspecify.annotations.NullMarked;
