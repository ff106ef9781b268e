package io.tidemark.completeness.reckon;

import io.tidemark.completeness.ledger.LedgerDirectories;
import io.tidemark.completeness.ledger.LedgerEntry;
import io.tidemark.completeness.ledger.TableState;
import io.tidemark.store.PrintableText;
import io.tidemark.store.Storage;
import io.tidemark.store.log.CorruptLogException;
import io.tidemark.store.log.NumberedEntry;
import io.tidemark.store.log.NumberedLog;
import java.io.IOException;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the times through which tables of other connectors are complete, from their ledgers. Groups
 * may have members of other log directories, written {@code db.table@LOG_ID}. Thread-safe.
 */
public record ForeignLedgers(Storage storage, LedgerDirectories folders) {
  private static final Logger LOG = LoggerFactory.getLogger(ForeignLedgers.class);

  /** Returns a member's name in the ledger: of a member of this log, only the table's name. */
  public String member(String configured) {
    String ours = "@" + folders.logId();
    return configured.endsWith(ours)
        ? configured.substring(0, configured.length() - ours.length())
        : configured;
  }

  /** Returns through when members of other logs are complete, without those that never were. */
  public Map<String, Instant> through(Collection<List<String>> groups) {
    Map<String, Instant> through = new HashMap<>();
    Map<String, Optional<LedgerEntry>> read = new HashMap<>();
    for (List<String> members : groups) {
      for (String member : members) {
        int at = member.lastIndexOf('@');
        if (at < 0) {
          continue;
        }
        String log = member.substring(at + 1);
        Optional<LedgerEntry> last = read.get(log);
        if (last == null) {
          last = last(log);
          read.put(log, last);
        }
        String table = member.substring(0, at);
        last.flatMap(entry -> Optional.ofNullable(entry.state().tables().get(table)))
            .flatMap(TableState::through)
            .ifPresent(instant -> through.put(member, instant));
      }
    }
    return through;
  }

  private Optional<LedgerEntry> last(String log) {
    LedgerDirectories other = new LedgerDirectories(folders.root(), log);
    try {
      return new NumberedLog<>(storage, other.log(), LedgerEntry.FORMAT)
          .last()
          .map(NumberedEntry::entry);
    } catch (IOException | CorruptLogException e) {
      LOG.warn(
          "{}: the ledger cannot be read, so groups with tables of the log {} wait: {}",
          other.log(),
          log,
          PrintableText.messageOf(e));
      return Optional.empty();
    }
  }
}
