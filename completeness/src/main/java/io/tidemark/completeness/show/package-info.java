/**
 * <i>Shows</i> the entries of the ledger: writes them to {@code _SUCCESS} files, Hive tables and
 * events, for other programs. Start with {@link io.tidemark.completeness.show.LedgerShow}.
 */
@NullMarked
package io.tidemark.completeness.show;

import org.jspecify.annotations.NullMarked;
