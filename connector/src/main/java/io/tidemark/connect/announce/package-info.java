/**
 * <i>Shows</i> the entries of the ledger: writes them to {@code _SUCCESS} files, Hive tables and
 * events, for other programs. Start with {@link io.tidemark.connect.announce.Announcements}. The
 * batches that producers announce are another thing: see {@code AnnouncedBatches} in {@link
 * io.tidemark.connect.ledger}.
 */
@NullMarked
package io.tidemark.connect.announce;

import org.jspecify.annotations.NullMarked;
