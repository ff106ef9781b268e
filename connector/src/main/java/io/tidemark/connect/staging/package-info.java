/**
 * Converts chunks of records to staged files in parallel. Start with {@link
 * io.tidemark.connect.staging.BatchStager}.
 */
@NullMarked
package io.tidemark.connect.staging;

import org.jspecify.annotations.NullMarked;
