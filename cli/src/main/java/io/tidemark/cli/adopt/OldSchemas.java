package io.tidemark.cli.adopt;

import io.tidemark.store.PrintableText;
import io.tidemark.store.Storage;
import io.tidemark.store.schema.HiveSchema;
import io.tidemark.store.schema.SchemaConflictException;
import io.tidemark.store.schema.SchemaEvolution;
import io.tidemark.store.table.Table;
import io.tidemark.store.table.TableSchemas;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.Schema;
import org.apache.avro.file.DataFileStream;
import org.apache.avro.generic.GenericDatumReader;

/**
 * The schemas of the old sink's files. They went through Connect's converter: unions have another
 * order, and attributes {@code connect.…} were added. The table's schema must read all of them.
 */
final class OldSchemas {
  private static final int HEADER_BYTES = 16 << 10;

  /** The files of which the results are awaited together. */
  private static final int READ_TOGETHER = 1_000;

  private OldSchemas() {}

  /** Returns the different schemas, in the order of the first offsets of their files. */
  static List<Schema> read(Storage storage, OldFiles files, ExecutorService threads)
      throws IOException, InterruptedException {
    List<OldFile> ordered = new ArrayList<>();
    files.committed().values().forEach(ordered::addAll);
    ordered.removeIf(each -> each.bytes() == 0);
    ordered.sort(
        Comparator.comparingLong(OldFile::first)
            .thenComparing(each -> each.topicPartition().partition())
            .thenComparing(each -> each.path().value()));
    Map<String, Schema> schemas = new LinkedHashMap<>();
    for (int from = 0; from < ordered.size(); from += READ_TOGETHER) {
      List<Callable<Optional<Schema>>> calls = new ArrayList<>();
      for (OldFile each : ordered.subList(from, Math.min(ordered.size(), from + READ_TOGETHER))) {
        calls.add(() -> schema(storage, each));
      }
      for (Future<Optional<Schema>> each : threads.invokeAll(calls)) {
        try {
          each.get().ifPresent(found -> schemas.putIfAbsent(found.toString(), found));
        } catch (ExecutionException e) {
          throw new IOException("A file below topics.dir could not be read", e.getCause());
        }
      }
    }
    return List.copyOf(schemas.values());
  }

  /** Returns the schema of a file; empty if it has no header, which is reported elsewhere. */
  private static Optional<Schema> schema(Storage storage, OldFile file) throws IOException {
    try (InputStream in = new BufferedInputStream(storage.open(file.path()), HEADER_BYTES);
        DataFileStream<Object> stream = new DataFileStream<>(in, new GenericDatumReader<>())) {
      return Optional.of(stream.getSchema());
    } catch (AvroRuntimeException e) {
      return Optional.empty();
    } catch (IOException e) {
      if (String.valueOf(e.getMessage()).startsWith("Not an Avro data file")
          || e instanceof java.io.EOFException) {
        return Optional.empty();
      }
      throw e;
    }
  }

  /**
   * Returns the schema that can read all files, beginning with that of a table that has one; empty
   * if there is none, with a refusal, or if there are no files.
   */
  static Optional<Schema> examine(
      Storage storage, OldFiles files, Successor successor, Table table, Findings findings)
      throws IOException, InterruptedException {
    try {
      Optional<Schema> merged =
          new TableSchemas(storage, table.layout()).current().map(each -> each.schema());
      for (Schema each : read(storage, files, successor.threads())) {
        merged =
            Optional.of(
                merged.isEmpty()
                    ? SchemaEvolution.initial(each)
                    : SchemaEvolution.evolve(merged.get(), each));
      }
      if (merged.isPresent()) {
        requirement(successor, table).check(merged.get());
      }
      return merged;
    } catch (SchemaConflictException e) {
      findings.refuse(
          "no schema reads all of its files: " + PrintableText.messageOf(e),
          "Begin a new table beside the old one, with another topics.dir. Or move the files of one"
              + " schema to another table.");
      return Optional.empty();
    }
  }

  /** Puts the schemas of a table that reads all files. */
  static void put(Storage storage, OldFiles files, Successor successor, Table table)
      throws IOException, SchemaConflictException, InterruptedException {
    TableSchemas schemas = new TableSchemas(storage, table.layout());
    for (Schema each : read(storage, files, successor.threads())) {
      schemas.evolve(each, requirement(successor, table));
    }
  }

  private static TableSchemas.Requirement requirement(Successor successor, Table table) {
    return next -> {
      if (successor.hive() && table.options().inHive()) {
        HiveSchema columns = HiveSchema.of(next, table.partitioning().columns());
        if (columns.toString().isEmpty()) {
          throw new IllegalStateException("a schema has no text");
        }
      }
    };
  }
}
