package io.tidemark.completeness.reckon;

import io.tidemark.completeness.ledger.LedgerDirectories;
import io.tidemark.store.PrintableText;
import io.tidemark.store.PutIfAbsent;
import io.tidemark.store.Storage;
import io.tidemark.store.StoragePath;
import io.tidemark.store.log.CorruptLogException;
import io.tidemark.store.log.JsonFormat;
import java.io.IOException;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The declarations of groups. Each group has a file that contains the {@code log.id} of the
 * connector that declares the group. The file is put if absent, so a name cannot belong to the
 * groups of two connectors. Safe for use by many threads and processes.
 *
 * <p>Example: {@code /ledger/groups/sales.json} with {@code
 * {"version":1,"group":"sales","log":"sales"}}
 */
public record GroupDeclarations(Storage storage, LedgerDirectories folders) {
  private static final JsonFormat<Declaration> FORMAT =
      JsonFormat.fixed("the declaration of the group", Declaration.class)
          .withoutCopy(
              "If there is none, remove it: the next connector that declares the group writes it again.");

  // Example: sales_eu-1. A name with a leading dot would be the name of a temporary file.
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-][A-Za-z0-9_.-]{0,199}");

  private record Declaration(String group, String log) {}

  /**
   * Declares a group for this log, unless another log has declared it. Returns why this log must
   * not report the group, with cause and cure; empty if this log declares it.
   */
  public Optional<String> declare(String group) throws IOException, CorruptLogException {
    if (!NAME.matcher(group).matches()) {
      throw new IllegalArgumentException(
          "completeness.groups: \"%s\" cannot be a group's name, because a file has that name. Use at most 200 letters, digits, '_', '-' and '.', and no '.' in front."
              .formatted(PrintableText.of(group)));
    }
    String name = group + ".json";
    StoragePath file = folders.groups().child(name);
    PutIfAbsent files = new PutIfAbsent(storage, folders.groups());
    if (storage.find(file).isEmpty()
        && files.put(name, FORMAT.write(new Declaration(group, folders.logId())))) {
      return Optional.empty();
    }
    String log = FORMAT.read(storage, file).log();
    return log.equals(folders.logId())
        ? Optional.empty()
        : Optional.of(
            "%s%s: the group %s is declared by the log %s, so the log %s does not report whether it is complete. Two connectors declare the same group. Rename the group in completeness.groups, or remove it from there. To move the name to this connector, stop the other connector and remove the file."
                .formatted(
                    storage.location(), file, group, PrintableText.line(log), folders.logId()));
  }
}
