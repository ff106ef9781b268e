/**
 * The status of completeness: as a value, as text, as JSON and as a page. Start with {@link
 * io.tidemark.cli.status.Status}.
 */
@NullMarked
package io.tidemark.cli.status;

import org.jspecify.annotations.NullMarked;
