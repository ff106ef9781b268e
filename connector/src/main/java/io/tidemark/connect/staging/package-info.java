/** Converts chunks to staged files in parallel. Start with {@link BatchStager}. */
@NullMarked
package io.tidemark.connect.staging;

import org.jspecify.annotations.NullMarked;
