package io.tidemark.registry.cache;

import io.tidemark.registry.Printable;
import io.tidemark.registry.RegisteredSchema;
import io.tidemark.registry.SchemaId;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.avro.Schema;
import org.apache.avro.SchemaParseException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The cache file of a registry's schemas, with which a process can start while the registry is
 * unavailable. Safe for use by many threads. A background thread writes additions a moment later.
 *
 * <p>A client also works without the file. A file that is damaged or belongs to another registry is
 * ignored with a warning and written again. A file of another program is never replaced. If the
 * file cannot be written, this is logged, and tried again with the next schema.
 */
final class SchemaCopy implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(SchemaCopy.class);

  /** The time for which changes are collected before they are written, in ms. */
  private static final long DELAY_MS = 500;

  private static final long CLOSE_WITHIN_MS = 10_000;

  private final SchemaCopyFile file;
  private final long maxBytes;
  private final int maxSchemaBytes;
  private final Thread writer;

  /** Texts by id, the oldest first. Guarded by this. */
  private final Map<SchemaId, SchemaCopyFile.Line> texts = new LinkedHashMap<>();

  private long weight;
  private boolean changed;
  private boolean closed;

  private SchemaCopy(SchemaCopyFile file, long maxBytes, int maxSchemaBytes) {
    this.file = file;
    this.maxBytes = maxBytes;
    this.maxSchemaBytes = maxSchemaBytes;
    this.writer = new Thread(this::write, "tidemark-schema-copy");
    writer.setDaemon(true);
  }

  /** Opens a cache file and reads it. */
  static SchemaCopy open(Path path, String registry, long maxBytes, int maxSchemaBytes) {
    SchemaCopy copy =
        new SchemaCopy(new SchemaCopyFile(path, registry, maxBytes), maxBytes, maxSchemaBytes);
    copy.load();
    copy.writer.start();
    return copy;
  }

  private synchronized void load() {
    try {
      Map<SchemaId, SchemaCopyFile.Line> read = file.read();
      int all = read.size();
      read.values()
          .removeIf(line -> line.text().getBytes(StandardCharsets.UTF_8).length > maxSchemaBytes);
      read.forEach(this::put);
      LOG.info(
          "{} has {} schemas, and {} above schema.max.bytes, which are not used",
          file,
          texts.size(),
          all - read.size());
    } catch (IOException e) {
      LOG.warn("{} is ignored: {}", file, Printable.of(String.valueOf(e.getMessage())));
    }
  }

  Optional<RegisteredSchema> find(SchemaId id) {
    SchemaCopyFile.Line line;
    synchronized (this) {
      line = texts.get(id);
    }
    try {
      return line == null
          ? Optional.empty()
          : Optional.of(
              new RegisteredSchema(
                  id, RegisteredSchema.parse(line.text()), Optional.empty(), line.rules()));
    } catch (SchemaParseException e) {
      // Another release of Avro's library wrote it.
      LOG.warn("{} of {} is not used: {}", id, file, Printable.of(e.toString()));
      return Optional.empty();
    }
  }

  void add(RegisteredSchema schema) {
    String text = schema.schema().toString();
    if (!readsBack(text, schema.schema())) {
      LOG.warn(
          "{} is not stored in the cache file: Avro reads its text as another schema", schema.id());
      return;
    }
    synchronized (this) {
      put(schema.id(), new SchemaCopyFile.Line(text, schema.rules()));
      changed = true;
      notifyAll();
    }
  }

  private static boolean readsBack(String text, Schema schema) {
    try {
      return RegisteredSchema.parse(text).equals(schema);
    } catch (SchemaParseException e) {
      // The caller logs it like a text that Avro reads as another schema.
      return false;
    }
  }

  /** Called under the lock. */
  private void put(SchemaId id, SchemaCopyFile.Line line) {
    SchemaCopyFile.Line before = texts.put(id, line);
    weight += line.text().length() - (before == null ? 0 : before.text().length());
    Iterator<SchemaCopyFile.Line> oldest = texts.values().iterator();
    while (weight > maxBytes && texts.size() > 1) {
      weight -= oldest.next().text().length();
      oldest.remove();
    }
  }

  private void write() {
    try {
      while (true) {
        Map<SchemaId, SchemaCopyFile.Line> now;
        synchronized (this) {
          while (!changed && !closed) {
            wait();
          }
          if (!changed) {
            return;
          }
          long until = System.nanoTime() + DELAY_MS * 1_000_000;
          for (long left = DELAY_MS; left > 0 && !closed; ) {
            wait(left);
            left = (until - System.nanoTime()) / 1_000_000;
          }
          now = new LinkedHashMap<>(texts);
          changed = false;
        }
        try {
          file.write(now);
        } catch (IOException e) {
          LOG.warn(
              "{} cannot be written: {}. Check that its directory exists and has free space, and"
                  + " that this process may write there. Only a start without the registry is"
                  + " affected.",
              file,
              Printable.of(e.toString()));
        }
      }
    } catch (InterruptedException e) {
      // Only a JVM that ends interrupts this thread.
      Thread.currentThread().interrupt();
    }
  }

  /** Writes the remaining changes, and waits for the write for a limited time. */
  @Override
  public void close() {
    synchronized (this) {
      closed = true;
      notifyAll();
    }
    try {
      writer.join(CLOSE_WITHIN_MS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
