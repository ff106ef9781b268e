/**
 * Adds the records of a topic-partition to batches, and decides whether each record lands. Start
 * with {@link io.tidemark.connect.intake.RecordIntake}.
 */
@NullMarked
package io.tidemark.connect.intake;

import org.jspecify.annotations.NullMarked;
