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
import java.util.function.LongSupplier;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericDatumReader;
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
 * the id precedes the datum. Without a cache each record causes a request. All readers and writers
 * are Avro's own.
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

  static List<TestCase> all() {
    var all = new ArrayList<TestCase>();
    all.add(usual(WRITE, "no registry", url -> write(schema -> new byte[0], TestCase.OPERATIONS)));
    all.add(usual(WRITE, "prefix of a known id", RegistryCases::known));
    all.add(usual(WRITE, "Kafka's serializer", RegistryCases::serialize));
    all.add(usual(READ, "no registry", url -> readBare()));
    all.add(usual(READ, "Kafka's deserializer", RegistryCases::deserialize));
    for (String api : List.of("confluent", "avro-1124")) {
      all.add(usual(WRITE, "registered, cached, " + api, url -> write(url, api, true)));
      all.add(asking(WRITE, "registered, not cached, " + api, url -> write(url, api, false)));
      all.add(usual(READ, "looked up, cached, " + api, url -> read(url, api, true)));
      all.add(asking(READ, "looked up, not cached, " + api, url -> read(url, api, false)));
    }
    return all;
  }

  private static TestCase usual(String group, String name, TestCase.Preparation preparation) {
    boolean quick = !name.contains("avro-1124");
    return TestCase.of(group, name, Codec.STOCK, OptionalDouble.empty(), quick, preparation);
  }

  private static TestCase asking(String group, String name, TestCase.Preparation preparation) {
    boolean quick = !name.contains("avro-1124");
    return new TestCase(
        group, name, Codec.STOCK, REQUESTS, OptionalDouble.empty(), quick, preparation);
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

  private static LongSupplier known(String url) throws InterruptedException {
    RegistryConfig config = config(url, "confluent");
    SchemaId id = registered(url, "confluent");
    return write(schema -> config.idFormat().bytesOf(id), TestCase.OPERATIONS);
  }

  private static LongSupplier write(String url, String api, boolean cached) {
    RegistryConfig config = config(url, api);
    RegistrySubjects registry = config.openSubjects(false);
    Subjects subjects =
        cached ? new CachingSubjects(registry.subjects(), config.cache()) : registry.subjects();
    return write(
        schema -> config.idFormat().bytesOf(subjects.register(subject(api), schema)),
        cached ? TestCase.OPERATIONS : REQUESTS);
  }

  private static LongSupplier write(Registration registration, int operations) {
    GenericRecord[] users;
    try {
      users = Arrays.copyOf(Codec.users(), operations);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Schema schema = Codec.user().writerSchema();
    DatumWriter<GenericRecord> writer = Codec.writer(Codec.STOCK, schema);
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

  private static LongSupplier readBare() {
    return DecoderCases.buffered(
        Codec.reader(Codec.STOCK, Codec.user().writerSchema()), Codec.datums(), false, true, false);
  }

  private static LongSupplier read(String url, String api, boolean cached)
      throws InterruptedException {
    RegistryConfig config = config(url, api);
    SchemaRegistry registry = cached ? config.open() : config.openSubjects(false).client();
    return read(
        config.reader(TOPIC),
        id -> registry.schema(id).schema(),
        values(config, registered(url, api), cached ? TestCase.OPERATIONS : REQUESTS));
  }

  private static LongSupplier read(SchemaIdReader ids, LookUp lookUp, byte[][] values) {
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
            var made = new GenericDatumReader<GenericRecord>(schema);
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
