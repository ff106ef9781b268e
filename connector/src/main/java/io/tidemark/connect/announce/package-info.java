/**
 * <i>Shows</i> the entries of the ledger: writes them to {@code _SUCCESS} files, Hive tables and
 * events, for other programs. Start with {@link io.tidemark.connect.announce.Announcements}.
 */
@NullMarked
package io.tidemark.connect.announce;

import org.jspecify.annotations.NullMarked;
