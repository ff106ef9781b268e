/** Converts chunks of records to staged files in parallel. Start with BatchStager. */
@NullMarked
package io.tidemark.connect.staging;

import org.jspecify.annotations.NullMarked;
