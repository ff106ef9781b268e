package io.tidemark.store.table;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemark.store.PutIfAbsent;
import io.tidemark.store.Storage;
import io.tidemark.store.StoragePath;
import io.tidemark.store.StoredFile;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * Small files in a table's directory that record whether the catalog contains all files of the
 * table. Entries that are committed while there is no catalog count as registered, so that logs can
 * be folded; these files record the missing registration. Safe for use by many workers.
 *
 * <pre>
 * .tidemark/catalog/default.quotes.json                       the table's files were once registered
 *                                                             as default.quotes
 * .tidemark/catalog/+bf672ad6618281cb-000…042-0b1e7a52-….json  claim 42 of a topic-partition has
 *                                                             landed files while there was no catalog
 * </pre>
 */
public final class MarkerFiles {
  static final String DIRECTORY = "catalog";
  private static final String WITHOUT_CATALOG = "+";
  private static final String EXTENSION = ".json";
  private static final byte[] TEXT = "{\"version\":1}\n".getBytes(UTF_8);

  private final Storage storage;
  private final StoragePath directory;
  private final PutIfAbsent files;

  public MarkerFiles(Storage storage, TableLayout table) {
    this.storage = storage;
    this.directory = table.metadataDirectory().child(DIRECTORY);
    this.files = new PutIfAbsent(storage, directory);
  }

  /** Puts the marker file of a claim, which replaces those of earlier ones. */
  public void landsWithoutCatalog(StagingDirectories.OfClaim claim) throws IOException {
    files.ensure(WITHOUT_CATALOG + claim.name() + EXTENSION, TEXT);
    removeEarlier(claim);
  }

  /**
   * Returns whether the table may have files that the catalog does not contain. Called at a later
   * claim on the topic-partition. The result is true if the table was never registered as a whole
   * under this name, or if an earlier claim has left a marker file, complete or temporary.
   */
  public boolean mayHoldMore(TableName name, StagingDirectories.OfClaim claim) throws IOException {
    List<StoredFile> existing = storage.list(directory);
    if (existing.stream().noneMatch(file -> file.path().name().equals(fileName(name)))) {
      return true;
    }
    files.removeLeftovers(existing, Set.of(fileName(name)));
    return existing.stream().anyMatch(file -> isOfEarlierClaim(file, claim));
  }

  /** Returns the names of claims whose files landed without a catalog and are not registered. */
  public Set<String> landedWithoutCatalog() throws IOException {
    return storage.list(directory).stream()
        .map(file -> file.path().name())
        .filter(name -> name.startsWith(WITHOUT_CATALOG) && name.endsWith(EXTENSION))
        .map(name -> name.substring(WITHOUT_CATALOG.length(), name.length() - EXTENSION.length()))
        .collect(Collectors.toUnmodifiableSet());
  }

  /** For claims on topic-partitions that no longer exist. */
  public void registered(Set<String> claims) throws IOException {
    for (String claim : claims) {
      storage.delete(directory.child(WITHOUT_CATALOG + claim + EXTENSION));
    }
  }

  /**
   * Records that the table's files are registered, also those of earlier claims. Marker files of
   * later claims stay: such claims may land without a catalog again.
   */
  public void registered(TableName name, StagingDirectories.OfClaim claim) throws IOException {
    files.ensure(fileName(name), TEXT);
    removeEarlier(claim);
  }

  /** Records that the table's files are registered, and keeps the marker files of all claims. */
  public void registered(TableName name) throws IOException {
    files.ensure(fileName(name), TEXT);
  }

  /**
   * Replaces the marker files, complete or temporary, of claims after the last entry: the log was
   * restored from an older copy or begun anew, and its next claim would not find them.
   */
  public void replaceAfter(long number, StagingDirectories staging, List<StoredFile> listed)
      throws IOException {
    StagingDirectories.OfClaim last = staging.ofClaim(number, new UUID(-1, -1)); // the highest
    StagingDirectories.OfClaim next = staging.ofClaim(number + 1, new UUID(0, 0));
    for (StoredFile file : listed) {
      String claim = claimOf(file);
      if (staging.isOfClaim(claim) && !next.follows(claim)) {
        landsWithoutCatalog(last);
        storage.delete(file.path());
      }
    }
  }

  public boolean isRegistered(TableName name) throws IOException {
    return storage.find(directory.child(fileName(name))).isPresent();
  }

  /** The location of a name's marker file, for messages. */
  public String place(TableName name) {
    return storage.location() + directory.child(fileName(name));
  }

  /** The catalog lost the table: the whole table is then registered again. */
  public void forget(TableName name) throws IOException {
    storage.delete(directory.child(fileName(name)));
  }

  private void removeEarlier(StagingDirectories.OfClaim claim) throws IOException {
    for (StoredFile file : storage.list(directory)) {
      if (isOfEarlierClaim(file, claim)) {
        storage.delete(file.path());
      }
    }
  }

  private static boolean isOfEarlierClaim(StoredFile file, StagingDirectories.OfClaim claim) {
    return claim.follows(claimOf(file));
  }

  /** Returns the claim that wrote a file {@code +…}, complete or temporary, and an ending. */
  private static String claimOf(StoredFile file) {
    String name = file.path().name();
    String noted = name.startsWith(".") ? name.substring(1) : name;
    return noted.startsWith(WITHOUT_CATALOG) ? noted.substring(WITHOUT_CATALOG.length()) : "";
  }

  private static String fileName(TableName name) {
    return TableLayout.visibleName(name.toString(), EXTENSION);
  }
}
