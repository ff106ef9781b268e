package io.tidemark.store.table;

import io.tidemark.store.PutIfAbsent;
import io.tidemark.store.Storage;
import io.tidemark.store.StoragePath;
import io.tidemark.store.StoredFile;
import io.tidemark.store.log.CorruptLogException;
import io.tidemark.store.log.JsonFormat;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The file with the layout of one table. It is put if absent before the first batch is committed to
 * the table, and never changes. Safe for use by many threads, tasks and workers.
 *
 * <p>Example: {@code /topics/quotes/.tidemark/layout.json} contains {@code {"version": 1,
 * "columns": ["region"], "settings": {"partitioner.class": "FieldPartitioner",
 * "partition.field.name": "region"}}}
 */
public final class LayoutFile {
  private static final String NAME = "layout.json";
  private static final JsonFormat<RecordedLayout> FORMAT =
      JsonFormat.fixed("the table's layout", RecordedLayout.class)
          .withoutCopy(
              "If there is none, remove it and restart the tasks: the next error then has the content for the present configuration.");

  private final Storage storage;
  private final StoragePath directory;
  private final PutIfAbsent files;

  public LayoutFile(Storage storage, TableLayout table) {
    this.storage = storage;
    this.directory = table.metadataDirectory();
    this.files = new PutIfAbsent(storage, directory);
  }

  public String place() {
    return storage.location() + directory.child(NAME);
  }

  /** Empty if no layout is recorded yet. */
  public Optional<RecordedLayout> read() throws IOException, CorruptLogException {
    try {
      return Optional.of(FORMAT.read(storage, directory.child(NAME)));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
  }

  /** Records a layout unless the table has one. Returns the recorded layout, which may differ. */
  public RecordedLayout put(RecordedLayout layout) throws IOException, CorruptLogException {
    List<StoredFile> before = storage.list(directory);
    if (before.stream().noneMatch(file -> file.path().name().equals(NAME))) {
      files.put(NAME, FORMAT.write(layout));
    }
    RecordedLayout existing =
        read().orElseThrow(() -> new IOException(place() + " was removed while it was written"));
    files.removeLeftovers(before, Set.of(NAME));
    return existing;
  }

  /** The content of the file, as one line. */
  public static String line(RecordedLayout layout) {
    return FORMAT.line(layout);
  }
}
