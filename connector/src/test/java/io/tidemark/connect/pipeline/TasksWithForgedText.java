package io.tidemark.connect.pipeline;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidemark.connect.intake.LandingException;
import io.tidemark.registry.RegisteredSchema;
import io.tidemark.registry.RegistryUnavailableException;
import io.tidemark.registry.SchemaId;
import io.tidemark.registry.SchemaNotFoundException;
import io.tidemark.registry.SchemaRegistry;
import io.tidemark.registry.wire.Framing;
import io.tidemark.registry.wire.FramingReader;
import io.tidemark.registry.wire.SchemaIdReader;
import io.tidemark.store.FaultyStorage;
import io.tidemark.store.PrintableFailure;
import io.tidemark.store.batch.BatchId;
import io.tidemark.store.batch.NullValues;
import io.tidemark.store.partition.FieldPartitioned;
import io.tidemark.store.partition.PartitionSpec;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.apache.avro.Schema;
import org.apache.kafka.connect.errors.ConnectException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A program in which producers and the registry use forged log lines wherever they can. Its output
 * contains all log lines of any level, all exceptions and all reasons of dead letters. {@link
 * ForgedTextTest} searches this output.
 */
final class TasksWithForgedText {
  static final String FORGED_LINE = "[2026-01-01 00:00:00,000] ERROR forged";
  static final String FORGED =
      "x\n" + FORGED_LINE + "\r\u2028" + FORGED_LINE + "\u0085\u001b[2J\u202egnp.exe\u200b";
  static final String END = "all was tried";

  private static final Logger LOG = LoggerFactory.getLogger(TasksWithForgedText.class);
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int FAILURES = 4;

  private TasksWithForgedText() {}

  /** Runs the program without arguments. */
  public static void main(String[] arguments) {
    System.setErr(new PrintStream(new FileOutputStream(FileDescriptor.err), true, UTF_8));
    int status = 1;
    try {
      schemas();
      values();
      schemaIds();
      batchIds();
      LOG.info(END);
      status = 0;
    } catch (Exception | AssertionError e) { // after any error, all threads must end
      LOG.error("not all was tried", PrintableFailure.of(e));
    }
    System.exit(status);
  }

  private static void schemas() throws Exception {
    String forged = JSON.writeValueAsString(FORGED);
    for (String schema :
        List.of(
            record(forged, "{\"name\":\"f\",\"type\":\"int\"}"),
            record("\"R\"", "{\"name\":" + forged + ",\"type\":\"int\"}"),
            record("\"R\"", "{\"name\":\"f\",\"type\":\"int\",\"default\":" + forged + "}"),
            record(
                "\"R\"",
                "{\"name\":\"f\",\"type\":{\"type\":\"enum\",\"name\":\"E\",\"symbols\":["
                    + forged
                    + "]}}"),
            record(
                "\"R\"",
                "{\"name\":\"f\",\"type\":{\"type\":\"fixed\",\"name\":"
                    + forged
                    + ",\"size\":1}}"),
            record("\"Quote\"", "{\"name\":\"key\",\"type\":\"int\",\"doc\":" + forged + "}"))) {
      Quotes quotes = new Quotes();
      quotes.produce("a");
      quotes.land(quotes.task(10));
      Schema writer = RegisteredSchema.parse(schema);
      quotes.topic.produce(0, new byte[6]);
      run(quotes, id -> new RegisteredSchema(id, writer), FramingReader::new, PartitionSpec.NONE);
    }
  }

  private static String record(String name, String field) throws JsonProcessingException {
    return "{\"type\":\"record\",\"name\":" + name + ",\"fields\":[" + field + "]}";
  }

  private static void values() throws Exception {
    for (String key : List.of(FORGED, FORGED + "\0", FORGED.repeat(20))) {
      Quotes quotes = new Quotes();
      quotes.produce(key);
      run(
          quotes,
          id -> new RegisteredSchema(id, Quotes.SCHEMA),
          FramingReader::new,
          new FieldPartitioned(List.of("key")));
    }
  }

  private static void schemaIds() throws Exception {
    Supplier<SchemaIdReader> forged =
        () -> (header, value) -> new Framing(new SchemaId.OfSubject("quotes", FORGED), 5);
    Quotes quotes = new Quotes();
    quotes.produce("a");
    AtomicInteger failures = new AtomicInteger();
    run(
        quotes,
        id -> {
          if (failures.incrementAndGet() < FAILURES) {
            throw new RegistryUnavailableException(
                "away: " + FORGED, new IllegalStateException(FORGED));
          }
          throw SchemaNotFoundException.unknown(id, 40403, "memory");
        },
        forged,
        PartitionSpec.NONE);
  }

  private static void batchIds() throws Exception {
    Quotes quotes = new Quotes();
    quotes.produce("a");
    quotes.land(quotes.task(10).announcing(offset -> BatchId.unusable(FORGED)));
    if (!quotes.keys().equals(List.of("a"))) {
      throw new AssertionError("a header that names no batch has failed its record");
    }
  }

  private interface Lookup {
    RegisteredSchema schema(SchemaId id)
        throws SchemaNotFoundException, RegistryUnavailableException;
  }

  private record Registry(Lookup lookup) implements SchemaRegistry {
    @Override
    public RegisteredSchema schema(SchemaId id)
        throws SchemaNotFoundException, RegistryUnavailableException {
      return lookup.schema(id);
    }

    @Override
    public String location() {
      return "memory";
    }

    @Override
    public void close() {}
  }

  /**
   * Lands all records without a dead letter queue and then with one, in a store that refuses the
   * first renames of data files.
   */
  private static void run(
      Quotes quotes, Lookup lookup, Supplier<SchemaIdReader> reader, PartitionSpec partitioning) {
    var queue = new FakeDeadLetterQueue();
    var refused = new AtomicInteger();
    var faulty = new FaultyStorage(quotes.storage);
    faulty.failBefore(
        call ->
            call.startsWith("rename /topics")
                && call.contains("key=")
                && refused.incrementAndGet() < FAILURES);
    for (TestTask.BadRecords badRecords :
        List.of(
            TestTask.BadRecords.STOP,
            new TestTask.BadRecords(Optional.of(queue), NullValues.FAIL, 10))) {
      try (TestTask task =
          new TestTask(
              quotes.topic,
              faulty,
              new Registry(lookup),
              reader,
              partitioning,
              Optional.empty(),
              50,
              100,
              badRecords,
              TestTask.Limits.WIDE)) {
        task.open(0);
        task.pollUntilLanded(0);
      } catch (LandingException e) {
        // The task logs errors in this way before it reports them to Connect.
        LOG.error(
            "the task has failed", new ConnectException(e.getMessage(), PrintableFailure.of(e)));
      }
    }
    queue.taken.forEach(letter -> LOG.info("a dead letter: {}", letter));
  }
}
