package io.tidemark.benchmarks.articles.avrobenchmark;

import io.tidemark.benchmarks.registry.RegistryHost;
import io.tidemark.registry.RegistryException;
import io.tidemark.registry.SchemaId;
import io.tidemark.registry.SchemaRegistry;
import io.tidemark.registry.Subjects;
import io.tidemark.registry.cache.CachingSubjects;
import io.tidemark.registry.config.RegistryConfig;
import io.tidemark.registry.config.RegistrySubjects;
import io.tidemark.registry.kafka.AvroDeserializer;
import io.tidemark.registry.kafka.AvroSerializer;
import io.tidemark.registry.wire.Framing;
import io.tidemark.registry.wire.SchemaIdReader;
import io.tidemark.registry.wire.UnframedDatumException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.BinaryDecoder;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.DatumReader;
import org.apache.avro.io.DatumWriter;
import org.apache.avro.io.DecoderFactory;
import org.apache.avro.io.EncoderFactory;
import org.jspecify.annotations.Nullable;

/**
 * The cost of a schema registry for each record: the schema is registered, or its id looked up, and
 * the id precedes the datum. Without a cache each record causes a request. The client is the same
 * for both contenders. Kafka's serializer and deserializer are those of registry-client, which read
 * and write with Avro's library.
 */
final class RegistryCases {
  static final String WRITE = "registry, write";
  static final String READ = "registry, read";

  /** The number of records of a pass if each causes an HTTP request. */
  private static final int REQUESTS = 50;

  /** Also the subject, by AVRO-1124's API. */
  private static final String TOPIC = RegistryHost.SUBJECT;

  private RegistryCases() {}

  /** Registers a schema, or finds it in a cache. */
  @FunctionalInterface
  private interface Registration {
    byte[] prefix(Schema schema) throws RegistryException, InterruptedException;
  }

  /** Finds the schema of an id. */
  @FunctionalInterface
  private interface LookUp {
    Schema schema(SchemaId id) throws RegistryException, InterruptedException;
  }

  /** Prepares the pass of a contender. */
  @FunctionalInterface
  private interface Setup {
    LongSupplier pass(String contender, String url) throws IOException, InterruptedException;
  }

  static List<TestCase> all() {
    var all = new ArrayList<TestCase>();
    int usual = TestCase.OPERATIONS;
    both(all, WRITE, "no registry", usual, (contender, url) -> writeBare(contender));
    both(all, WRITE, "prefix of a known id", usual, RegistryCases::known);
    all.add(kafka(WRITE, "Kafka's serializer", RegistryCases::serialize));
    both(all, READ, "no registry", usual, (contender, url) -> readBare(contender));
    all.add(kafka(READ, "Kafka's deserializer", RegistryCases::deserialize));
    for (String api : List.of("confluent", "avro-1124")) {
      for (boolean cached : List.of(true, false)) {
        String name = (cached ? ", cached, " : ", not cached, ") + api;
        int operations = cached ? usual : REQUESTS;
        both(
            all,
            WRITE,
            "registered" + name,
            operations,
            (contender, url) -> write(contender, url, api, cached));
        both(
            all,
            READ,
            "looked up" + name,
            operations,
            (contender, url) -> read(contender, url, api, cached));
      }
    }
    return all;
  }

  /**
   * Adds a case of both contenders. A quick run includes Confluent's API only, and fast-avro only
   * with a cache.
   */
  private static void both(
      List<TestCase> all, String group, String name, int operations, Setup setup) {
    for (String contender : List.of(Codec.STOCK, Codec.OURS)) {
      boolean quick =
          !name.contains("avro-1124")
              && (contender.equals(Codec.STOCK) || name.contains(", cached"));
      all.add(
          new TestCase(
              group,
              name,
              contender,
              operations,
              OptionalDouble.empty(),
              quick,
              url -> setup.pass(contender, url)));
    }
  }

  private static TestCase kafka(String group, String name, TestCase.Preparation preparation) {
    return TestCase.of(group, name, Codec.STOCK, OptionalDouble.empty(), true, preparation);
  }

  private static RegistryConfig config(String url, String api) {
    return RegistryConfig.parse(
        Map.of(
            "schema.registry.api",
            api,
            "schema.registry.url",
            api.equals("avro-1124") ? url + RegistryHost.SCHEMA_REPO : url));
  }

  private static String subject(String api) {
    return api.equals("avro-1124") ? TOPIC : TOPIC + "-value";
  }

  private static LongSupplier writeBare(String contender) {
    return write(contender, schema -> new byte[0], TestCase.OPERATIONS);
  }

  private static LongSupplier known(String contender, String url) throws InterruptedException {
    RegistryConfig config = config(url, "confluent");
    SchemaId id = registered(url, "confluent");
    return write(contender, schema -> config.idFormat().bytesOf(id), TestCase.OPERATIONS);
  }

  private static LongSupplier write(String contender, String url, String api, boolean cached) {
    RegistryConfig config = config(url, api);
    RegistrySubjects registry = config.openSubjects(false);
    Subjects subjects =
        cached ? new CachingSubjects(registry.subjects(), config.cache()) : registry.subjects();
    return write(
        contender,
        schema -> config.idFormat().bytesOf(subjects.register(subject(api), schema)),
        cached ? TestCase.OPERATIONS : REQUESTS);
  }

  private static LongSupplier write(String contender, Registration registration, int operations) {
    GenericRecord[] users;
    try {
      users = Arrays.copyOf(Codec.users(), operations);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Schema schema = Codec.user().writerSchema();
    DatumWriter<GenericRecord> writer = Codec.writer(contender, schema);
    var stream = new ByteArrayOutputStream();
    return asked(
        () -> {
          BinaryEncoder encoder = null;
          long bytes = 0;
          for (GenericRecord user : users) {
            stream.reset();
            stream.write(registration.prefix(user.getSchema()));
            encoder = EncoderFactory.get().binaryEncoder(stream, encoder);
            writer.write(user, encoder);
            encoder.flush();
            bytes += stream.toByteArray().length;
          }
          return bytes;
        });
  }

  private static LongSupplier serialize(String url) throws IOException {
    var serializer = new AvroSerializer();
    serializer.configure(Map.of("schema.registry.url", url), false);
    GenericRecord[] users = Codec.users();
    return () -> {
      long bytes = 0;
      for (GenericRecord user : users) {
        byte[] value = serializer.serialize(TOPIC, user);
        bytes += value == null ? 0 : value.length;
      }
      return bytes;
    };
  }

  private static LongSupplier readBare(String contender) {
    return DecoderCases.buffered(
        Codec.reader(contender, Codec.user().writerSchema()), Codec.datums(), false, true, false);
  }

  private static LongSupplier read(String contender, String url, String api, boolean cached)
      throws InterruptedException {
    RegistryConfig config = config(url, api);
    SchemaRegistry registry = cached ? config.open() : config.openSubjects(false).client();
    return read(
        config.reader(TOPIC),
        id -> registry.schema(id).schema(),
        // Without a cache each lookup parses a new schema object: generating a class would not pay.
        schema ->
            cached ? Codec.reader(contender, schema) : Codec.uncompiledReader(contender, schema),
        values(config, registered(url, api), cached ? TestCase.OPERATIONS : REQUESTS));
  }

  private static LongSupplier read(
      SchemaIdReader ids,
      LookUp lookUp,
      Function<Schema, DatumReader<GenericRecord>> readers,
      byte[][] values) {
    return asked(
        new Body() {
          private @Nullable Schema last;
          private @Nullable DatumReader<GenericRecord> reader;
          private @Nullable BinaryDecoder decoder;

          @Override
          public long run()
              throws IOException, RegistryException, InterruptedException, UnframedDatumException {
            long fields = 0;
            for (byte[] value : values) {
              Framing framing = ids.read(null, value);
              DatumReader<GenericRecord> current = readerOf(lookUp.schema(framing.id()));
              int offset = framing.datumOffset();
              decoder =
                  DecoderFactory.get().binaryDecoder(value, offset, value.length - offset, decoder);
              fields += current.read(null, decoder).get(7) == null ? 0 : 1;
            }
            return fields;
          }

          /** Returns the reader of a schema object, which is reused for the same object. */
          @SuppressWarnings("ReferenceEquality")
          private DatumReader<GenericRecord> readerOf(Schema schema) {
            DatumReader<GenericRecord> known = reader;
            if (known != null && schema == last) {
              return known;
            }
            DatumReader<GenericRecord> made = readers.apply(schema);
            last = schema;
            reader = made;
            return made;
          }
        });
  }

  private static LongSupplier deserialize(String url) throws InterruptedException {
    var deserializer = new AvroDeserializer();
    deserializer.configure(Map.of("schema.registry.url", url), false);
    byte[][] values =
        values(config(url, "confluent"), registered(url, "confluent"), TestCase.OPERATIONS);
    return () -> {
      long records = 0;
      for (byte[] value : values) {
        records += deserializer.deserialize(TOPIC, value) == null ? 0 : 1;
      }
      return records;
    };
  }

  private static SchemaId registered(String url, String api) throws InterruptedException {
    try (RegistrySubjects registry = config(url, api).openSubjects(false)) {
      return registry.subjects().register(subject(api), Codec.user().writerSchema());
    } catch (RegistryException e) {
      throw new IllegalStateException("the registry's host does not register", e);
    }
  }

  /** Returns datums preceded by the id. */
  private static byte[][] values(RegistryConfig config, SchemaId id, int count) {
    byte[] prefix = config.idFormat().bytesOf(id);
    byte[][] datums = Codec.datums();
    var values = new byte[count][];
    for (int i = 0; i < count; i++) {
      values[i] = Arrays.copyOf(prefix, prefix.length + datums[i].length);
      System.arraycopy(datums[i], 0, values[i], prefix.length, datums[i].length);
    }
    return values;
  }

  /** A pass that uses a registry. */
  @FunctionalInterface
  private interface Body {
    long run() throws IOException, RegistryException, InterruptedException, UnframedDatumException;
  }

  private static LongSupplier asked(Body body) {
    return Codec.pass(
        () -> {
          try {
            return body.run();
          } catch (RegistryException | UnframedDatumException e) {
            throw new IllegalStateException("the registry's host does not answer as it must", e);
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
          }
        });
  }
}
