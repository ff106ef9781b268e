/** Adds records to batches, and decides whether they land. Start with {@link RecordIntake}. */
@NullMarked
package io.tidemark.connect.intake;

import org.jspecify.annotations.NullMarked;
