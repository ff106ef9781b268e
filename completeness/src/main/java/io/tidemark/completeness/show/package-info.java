/**
 * <i>Shows</i> the entries of the ledger: writes them to {@code _SUCCESS} files, Hive tables and
 * events, for other programs. Start with {@link io.tidemark.completeness.show.Announcements}. The
 * batches that producers announce are another thing: see {@code AnnouncedBatches} in {@link
 * io.tidemark.completeness.decide}.
 */
@NullMarked
package io.tidemark.completeness.show;

import org.jspecify.annotations.NullMarked;
