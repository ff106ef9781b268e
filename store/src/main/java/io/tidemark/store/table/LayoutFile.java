package io.tidemark.store.table;

import io.tidemark.store.PutIfAbsent;
import io.tidemark.store.Storage;
import io.tidemark.store.StoragePath;
import io.tidemark.store.log.CorruptLogException;
import io.tidemark.store.log.JsonFormat;
import java.io.IOException;
import java.util.Optional;

/**
 * The file with the layout of one table, which never changes. Thread-safe.
 *
 * <p>Example: {@code /topics/quotes/.tidemark/layout.json} contains {@code {"version": 1,
 * "columns": ["region"], "settings": {"partitioner.class": "FieldPartitioner",
 * "partition.field.name": "region"}}}
 */
public record LayoutFile(Storage storage, TableLayout table) {
  private static final String NAME = "layout.json";
  private static final JsonFormat<RecordedLayout> FORMAT =
      JsonFormat.fixed("the table's layout", RecordedLayout.class)
          .withoutCopy(
              "If there is none, remove it and restart the tasks: the next error then has the content for the present configuration.");

  public String place() {
    return storage.location() + file();
  }

  private StoragePath file() {
    return table.metadataDirectory().child(NAME);
  }

  /** Empty if no layout is recorded yet. */
  public Optional<RecordedLayout> read() throws IOException, CorruptLogException {
    return FORMAT.find(storage, file());
  }

  /** Records a layout unless the table has one. Returns the recorded layout, which may differ. */
  public RecordedLayout put(RecordedLayout layout) throws IOException, CorruptLogException {
    new PutIfAbsent(storage, table.metadataDirectory()).ensure(NAME, FORMAT.write(layout));
    return read().orElseThrow(() -> new IOException(place() + " was removed while it was written"));
  }

  public static String line(RecordedLayout layout) {
    return FORMAT.line(layout);
  }
}
