package io.tidemark.cli.audit;

import io.tidemark.cli.audit.Evidence.Named;
import io.tidemark.cli.audit.Evidence.Total;
import io.tidemark.cli.audit.Finding.Kind;
import io.tidemark.store.PrintableText;
import io.tidemark.store.Storage;
import io.tidemark.store.partition.HivePartition;
import io.tidemark.store.table.TableLayout;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Compares the files of one Hive partition's directory with the ledger and the logs; or those of
 * several Hive partitions together, whose files an operator may have moved from one to another.
 * Used by one thread, for one comparison.
 */
final class HivePartitionLook {
  private final String table;
  private final List<HivePartition> together;
  private final Evidence evidence;
  private final Map<String, Named> named = new HashMap<>();
  private final List<Finding> findings = new ArrayList<>();
  private final Set<String> seen = new HashSet<>();

  // The sums of all files of the connector.
  private long files;
  private long records;
  private long bytes;

  // Files that the ledger's totals may lack, and files that are reported separately.
  private Total beside = new Total(0, 0, 0, 0, false);
  private Total missing = new Total(0, 0, 0, 0, false);
  private long waiting;
  private boolean unreadable;

  HivePartitionLook(
      String table, List<HivePartition> together, TableLayout layout, Evidence evidence) {
    this.table = table;
    this.together = List.copyOf(together);
    this.evidence = evidence;
    together.forEach(each -> named.putAll(evidence.files(layout.partitionDirectory(each))));
  }

  /** The counts of the connector's files, with the findings. */
  record Result(long files, long records, long bytes, long waiting, List<Finding> findings) {}

  void add(Kind kind, String problem) {
    findings.add(new Finding(kind, place(), problem));
  }

  private String place() {
    String path = together.get(0).toString();
    return path.isEmpty() ? table : table + " " + path;
  }

  void add(FileLook look) {
    String name = look.file().path().name();
    seen.add(name);
    Optional<Named> entry = Optional.ofNullable(named.get(name));
    if (entry.isEmpty() && !isOurs(look, name)) {
      return;
    }
    files++;
    records += look.records();
    bytes += look.file().bytes();
    look.misplaced().ifPresent(problem -> add(Kind.PLACE, shown(name) + ": " + problem));
    if (look.damage().isPresent()) {
      add(Kind.DAMAGED, shown(name) + ": " + look.damage().get());
    }
    entry.ifPresent(each -> compare(look, name, each));
    unreadable |= entry.isEmpty() && look.damage().isPresent();
  }

  /** Returns whether a file that no retained entry names can be of a folded entry. */
  private boolean isOurs(FileLook look, String name) {
    if (look.damage().isPresent()) {
      return true; // The comparison of the totals shows whether it was.
    }
    if (look.entry().isEmpty()) {
      add(Kind.STRANGER, shown(name) + ": it is not of this connector, and no entry names it");
      return false;
    }
    if (evidence.hasEntry(look.entry().get())) {
      add(
          Kind.STRANGER,
          "%s: its header names the log entry %s, which does not name the file"
              .formatted(shown(name), look.entry().get()));
      return false;
    }
    return true;
  }

  private void compare(FileLook look, String name, Named entry) {
    boolean same = true;
    if (look.file().bytes() != entry.bytes()) {
      same = false;
      add(
          Kind.LENGTH,
          "%s: it has %d bytes, and entry %d of %s records %d"
              .formatted(
                  shown(name), look.file().bytes(), entry.number(), entry.log(), entry.bytes()));
    } else if (look.damage().isEmpty() && !look.entry().equals(Optional.of(entry.attempt()))) {
      same = false;
      add(
          Kind.STRANGER,
          "%s: it is not the file of entry %d of %s, but another file of this name"
              .formatted(shown(name), entry.number(), entry.log()));
    } else if (look.damage().isEmpty() && look.records() != entry.records()) {
      same = false;
      add(
          Kind.DAMAGED,
          "%s: it has %d records, and entry %d of %s records %d"
              .formatted(
                  shown(name), look.records(), entry.number(), entry.log(), entry.records()));
    }
    if (!entry.accounted()) {
      beside = beside.plus(new Total(0, look.records(), look.file().bytes(), 1, false));
    } else if (!same || look.damage().isPresent()) {
      // Reported separately: the total is compared as if the file were undamaged.
      beside = beside.plus(new Total(0, look.records(), look.file().bytes(), 1, false));
      missing = missing.plus(new Total(0, entry.records(), entry.bytes(), 1, false));
    }
  }

  /** Returns the result of an empty directory. */
  Result ofNothing() {
    return new Result(0, 0, 0, 0, List.copyOf(findings));
  }

  /** Ends the comparison: adds missing files, and compares the sums. */
  Result end(Storage storage) throws IOException {
    for (Map.Entry<String, Named> each : named.entrySet()) {
      if (!seen.contains(each.getKey())) {
        absent(storage, each.getKey(), each.getValue());
      }
    }
    Optional<Total> total =
        together.stream().flatMap(each -> evidence.total(each).stream()).reduce(Total::plus);
    if (total.isPresent() && !unreadable) {
      compare(total.get());
    }
    return new Result(files, records, bytes, waiting, List.copyOf(findings));
  }

  private void absent(Storage storage, String name, Named entry) throws IOException {
    if (!entry.published() && storage.find(entry.staged()).isPresent()) {
      waiting++;
      return;
    }
    add(
        Kind.MISSING,
        "%s: entry %d of %s names it with %d records, and it does not exist"
            .formatted(shown(name), entry.number(), entry.log(), entry.records()));
    if (entry.accounted()) {
      missing = missing.plus(new Total(0, entry.records(), entry.bytes(), 1, false));
    }
  }

  private void compare(Total total) {
    long ledgerFiles = total.files() - missing.files();
    long ledgerRecords = total.records() - missing.records();
    long ledgerBytes = total.bytes() - missing.bytes();
    long hasFiles = files - beside.files();
    long hasRecords = records - beside.records();
    long hasBytes = bytes - beside.bytes();
    boolean lowerBound = total.partial() || evidence.lacksEntries();
    boolean agrees =
        lowerBound
            ? hasFiles >= ledgerFiles && hasRecords >= ledgerRecords && hasBytes >= ledgerBytes
            : hasFiles == ledgerFiles && hasRecords == ledgerRecords && hasBytes == ledgerBytes;
    if (!agrees) {
      add(
          Kind.COUNT,
          "the ledger has %s%d records (%d bytes) in %d files, and there are %d (%d bytes) in %d"
              .formatted(
                  lowerBound ? "at least " : "",
                  ledgerRecords,
                  ledgerBytes,
                  ledgerFiles,
                  hasRecords,
                  hasBytes,
                  hasFiles));
    }
  }

  private static String shown(String name) {
    return PrintableText.line(name);
  }
}
