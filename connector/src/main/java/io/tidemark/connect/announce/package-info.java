/**
 * Shows the entries of the ledger to other programs: as {@code _SUCCESS} files, rows of Hive
 * tables, and events. Start with {@link io.tidemark.connect.announce.Announcements}.
 */
@NullMarked
package io.tidemark.connect.announce;

import org.jspecify.annotations.NullMarked;
