package io.tidemark.connect.intake;

import io.tidemark.store.StoragePath;
import io.tidemark.store.log.LogRefusedException;
import io.tidemark.store.log.OperatorConsent;
import io.tidemark.store.table.TableLayout;
import java.util.UUID;

/**
 * Reports that marker files or staging directories in a table have a higher number than the last
 * entry of its log. The log was restored from an older copy, and the records of the missing entries
 * would land again.
 */
final class OlderLogException extends LogRefusedException {
  private static final long serialVersionUID = 1L;

  private final UUID step;

  OlderLogException(StoragePath log, long last, TableLayout table, long shown) {
    this(
        log, last, table, shown, OperatorConsent.step("older log", log, table.root(), last, shown));
  }

  private OlderLogException(StoragePath log, long last, TableLayout table, long shown, UUID step) {
    super(
        ("%s: the log ends at entry %d, but %s shows that it had entry %d, whose files may be in the table. So the log was"
                + " restored from an older copy, or entries were removed. The records that have landed since would"
                + " land again. Restore the newest copy of the log, or a copy of log and table that belong together."
                + " Only if you have removed from the table the files of all entries after %d, or accept duplicates of their"
                + " rows, set operator.consent=%s.")
            .formatted(log, last, table.stagingRoot(), shown, last, step));
    this.step = step;
  }

  UUID step() {
    return step;
  }
}
