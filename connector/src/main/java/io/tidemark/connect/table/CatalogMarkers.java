package io.tidemark.connect.table;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemark.connect.storage.PutIfAbsent;
import io.tidemark.connect.storage.Storage;
import io.tidemark.connect.storage.StoragePath;
import io.tidemark.connect.storage.StoredFile;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Small files beside a table that say whether the catalog knows what the table holds. Entries that
 * are committed while there is no catalog count as registered, so that logs are folded; these files
 * remember that they are not. Safe for use by many threads, tasks and workers.
 *
 * <pre>
 * .tidemark/catalog/default.quotes.json                       what the table held was registered once
 *                                                             as default.quotes
 * .tidemark/catalog/+bf672ad6618281cb-000…042-0b1e7a52-….json  claim 42 of a topic-partition has
 *                                                             landed files while there was no catalog
 * </pre>
 */
public final class CatalogMarkers {
  private static final String WITHOUT_CATALOG = "+";
  private static final String EXTENSION = ".json";
  private static final byte[] TEXT = "{\"version\":1}\n".getBytes(UTF_8);

  private final Storage storage;
  private final StoragePath directory;
  private final PutIfAbsent files;

  public CatalogMarkers(Storage storage, TableLayout table) {
    this.storage = storage;
    this.directory = table.metadataDirectory().child("catalog");
    this.files = new PutIfAbsent(storage, directory);
  }

  /**
   * Notes that a claim lands files while there is no catalog. What earlier claims on its
   * topic-partition have noted is said with it.
   */
  public void landsWithoutCatalog(StagingDirectories.OfClaim claim) throws IOException {
    put(WITHOUT_CATALOG + claim.name() + EXTENSION);
    removeEarlier(claim);
  }

  /**
   * Whether the table may hold what the catalog does not know, to be asked by a later claim on the
   * topic-partition: the table was never registered as a whole under this name, or an earlier claim
   * has landed without a catalog, or was about to note it.
   */
  public boolean mayHoldMore(TableName name, StagingDirectories.OfClaim claim) throws IOException {
    List<StoredFile> standing = storage.list(directory);
    if (standing.stream().noneMatch(file -> file.path().name().equals(fileName(name)))) {
      return true;
    }
    files.removeLeftovers(standing, Set.of(fileName(name)));
    return standing.stream().anyMatch(file -> isOfEarlierClaim(file, claim));
  }

  /** The names of claims that have landed files without a catalog, registered by none since. */
  public Set<String> landedWithoutCatalog() throws IOException {
    return storage.list(directory).stream()
        .map(file -> file.path().name())
        .filter(name -> name.startsWith(WITHOUT_CATALOG) && name.endsWith(EXTENSION))
        .map(name -> name.substring(WITHOUT_CATALOG.length(), name.length() - EXTENSION.length()))
        .collect(Collectors.toUnmodifiableSet());
  }

  /** Notes that what some claims have landed is registered: those of topic-partitions gone. */
  public void registered(Set<String> claims) throws IOException {
    for (String claim : claims) {
      storage.delete(directory.child(WITHOUT_CATALOG + claim + EXTENSION));
    }
  }

  /**
   * Notes that what the table held was registered, with all that the claims before one had landed
   * on its topic-partition. Claims after it are not touched: they may land without a catalog again.
   */
  public void registered(TableName name, StagingDirectories.OfClaim claim) throws IOException {
    put(fileName(name));
    removeEarlier(claim);
  }

  /** Notes that what the table held was registered, whatever claims have noted. */
  public void registered(TableName name) throws IOException {
    put(fileName(name));
  }

  /** Whether what the table held was registered under a name, once. */
  public boolean isRegistered(TableName name) throws IOException {
    return storage.find(directory.child(fileName(name))).isPresent();
  }

  /** The marker of a name, for messages. */
  public String place(TableName name) {
    return storage.location() + directory.child(fileName(name));
  }

  /**
   * Notes that a table is to be registered as a whole again, because it is gone from the catalog.
   */
  public void forget(TableName name) throws IOException {
    storage.delete(directory.child(fileName(name)));
  }

  private void put(String name) throws IOException {
    List<StoredFile> before = storage.list(directory);
    if (before.stream().noneMatch(file -> file.path().name().equals(name))) {
      files.put(name, TEXT);
    }
    files.removeLeftovers(before, Set.of(name));
  }

  private void removeEarlier(StagingDirectories.OfClaim claim) throws IOException {
    for (StoredFile file : storage.list(directory)) {
      if (isOfEarlierClaim(file, claim)) {
        storage.delete(file.path());
      }
    }
  }

  /** What an earlier claim has noted, or was about to note under a temporary name. */
  private static boolean isOfEarlierClaim(StoredFile file, StagingDirectories.OfClaim claim) {
    String name = file.path().name();
    String noted = name.startsWith(".") ? name.substring(1) : name;
    return noted.startsWith(WITHOUT_CATALOG)
        && claim.follows(noted.substring(WITHOUT_CATALOG.length()));
  }

  private static String fileName(TableName name) {
    return TableLayout.visibleName(
            name.toString(), TableLayout.COMPONENT_MAX_BYTES - EXTENSION.length())
        + EXTENSION;
  }
}
