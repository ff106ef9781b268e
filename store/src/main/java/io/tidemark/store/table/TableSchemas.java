package io.tidemark.store.table;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidemark.store.PrintableText;
import io.tidemark.store.PutIfAbsent;
import io.tidemark.store.Storage;
import io.tidemark.store.StoragePath;
import io.tidemark.store.StoredFile;
import io.tidemark.store.schema.SchemaCompatibility;
import io.tidemark.store.schema.SchemaConflictException;
import io.tidemark.store.schema.SchemaEvolution;
import io.tidemark.store.schema.TableSchema;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import org.apache.avro.AvroTypeException;
import org.apache.avro.Schema;

/**
 * The schemas of one table, oldest first, as numbered files that are put if absent. If several
 * tasks widen the schema simultaneously, one succeeds, and the others widen the schema that it
 * wrote. Safe for use by many threads, tasks and workers.
 *
 * <p>Example: {@code /topics/quotes/.tidemark/schemas/0000000002.avsc}
 */
public final class TableSchemas {

  /** In each lost race another task has written a wider schema. */
  private static final int MAX_RACES = 100;

  /** Example: {@code 0000000002.avsc} */
  private static final Pattern FILE_NAME = Pattern.compile("[0-9]{10}\\.avsc");

  private static final ObjectMapper JSON = new ObjectMapper();

  private final Storage storage;
  private final StoragePath directory;
  private final PutIfAbsent puts;
  private final SchemaCompatibility permitted;
  private volatile Optional<TableSchema> newest = Optional.empty();

  public TableSchemas(Storage storage, TableLayout layout) {
    this(storage, layout.metadataDirectory().child("schemas"), SchemaCompatibility.NONE);
  }

  private TableSchemas(Storage storage, StoragePath directory, SchemaCompatibility permitted) {
    this.permitted = permitted;
    this.storage = storage;
    this.directory = directory;
    this.puts = new PutIfAbsent(storage, directory);
  }

  /** Returns the schemas of this table, which accepts only some changes of writer schemas. */
  public TableSchemas permitting(SchemaCompatibility changes) {
    return new TableSchemas(storage, directory, changes);
  }

  /** 0 if the table has none. */
  public int newestVersion() throws IOException {
    List<StoredFile> versions = versions(storage.list(directory));
    return versions.isEmpty() ? 0 : version(versions.get(versions.size() - 1));
  }

  public String place(int version) {
    return storage.location() + directory.child(fileName(version));
  }

  private static List<StoredFile> versions(List<StoredFile> files) {
    return files.stream().filter(file -> FILE_NAME.matcher(file.path().name()).matches()).toList();
  }

  private static int version(StoredFile file) {
    return Integer.parseInt(file.path().name().substring(0, 10));
  }

  private static String fileName(int version) {
    return String.format(Locale.ROOT, "%010d.avsc", version);
  }

  /** Empty if the table has none. */
  public Optional<TableSchema> current() throws IOException, SchemaConflictException {
    List<StoredFile> files = storage.list(directory);
    List<StoredFile> versions = versions(files);
    if (versions.isEmpty()) {
      return Optional.empty();
    }
    StoredFile file = versions.get(versions.size() - 1);
    int version = version(file);
    puts.removeLeftovers(files, versions.stream().map(each -> each.path().name()).toList());
    if (newest.isEmpty() || newest.get().version() < version) {
      newest = Optional.of(new TableSchema(version, read(file.path())));
    }
    return newest;
  }

  /** A further requirement on a schema before it becomes a version of a table. */
  @FunctionalInterface
  public interface Requirement {
    void check(Schema next) throws SchemaConflictException;
  }

  /**
   * Returns a schema of the table that can read a writer's records: an existing version, or a new
   * one. The requirement is checked before that is written, because versions are never removed.
   */
  public TableSchema evolve(Schema writer, Requirement requirement)
      throws IOException, SchemaConflictException {
    Optional<TableSchema> known = newest.isPresent() ? newest : current();
    for (int race = 0; race < MAX_RACES; race++) {
      TableSchema next = next(known, writer, requirement);
      if ((known.isPresent() && next.equals(known.get())) || put(next)) {
        return next;
      }
      known = current();
    }
    throw new IOException(
        "%s: %d times another task wrote the next version of the schema first. Find the writer that keeps changing its schema, and stop it."
            .formatted(directory, MAX_RACES));
  }

  /** Rejects the same writer schemas as {@link #evolve}, but writes nothing. */
  public void requireTakes(Schema writer, Requirement requirement)
      throws IOException, SchemaConflictException {
    next(current(), writer, requirement);
  }

  private TableSchema next(Optional<TableSchema> known, Schema writer, Requirement requirement)
      throws SchemaConflictException {
    if (known.isEmpty()) {
      TableSchema first = new TableSchema(1, SchemaEvolution.initial(writer));
      requirement.check(first.schema());
      return first;
    }
    TableSchema table = known.get();
    Schema evolved = evolved(table, writer);
    if (evolved.toString().equals(table.schema().toString())) { // equals() ignores aliases
      return table;
    }
    requirement.check(evolved);
    return new TableSchema(table.version() + 1, evolved);
  }

  private Schema evolved(TableSchema table, Schema writer) throws SchemaConflictException {
    try {
      return SchemaEvolution.evolve(table.schema(), writer, permitted);
    } catch (SchemaConflictException e) {
      throw new SchemaConflictException(
          "%s The table's schema is %s; restore it from a copy if it was damaged."
              .formatted(e.getMessage(), place(table.version())));
    }
  }

  private boolean put(TableSchema next) throws IOException {
    String name = fileName(next.version());
    byte[] text = JSON.readTree(next.schema().toString()).toPrettyString().getBytes(UTF_8);
    if (!puts.put(name, text)) {
      return false;
    }
    newest = Optional.of(next);
    return true;
  }

  private Schema read(StoragePath file) throws IOException, SchemaConflictException {
    try (InputStream in = storage.open(file)) {
      Schema schema = new Schema.Parser().parse(new String(in.readAllBytes(), UTF_8));
      if (schema.getType() != Schema.Type.RECORD) {
        throw new AvroTypeException("it is a " + schema.getType().getName() + ", not a record");
      }
      return schema;
    } catch (RuntimeException e) { // for some texts Avro's parser throws NullPointerException
      throw SchemaConflictException.ofDamaged(
          "%s%s is not an Avro schema: %s. The file was damaged or edited. Restore it from a copy; if there is none, the newest data file of this version has the schema in its header (avro-tools getschema)."
              .formatted(
                  storage.location(), file, PrintableText.of(String.valueOf(e.getMessage()))));
    }
  }
}
