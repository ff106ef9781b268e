package io.tidemark.connect.config;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The examples of docs/REGISTRY.md compile. Those of FAST-AVRO.md are in LibraryPageTest. */
class RegistryPageTest {
  private static final Path PAGE = Path.of("..", "docs", "REGISTRY.md");

  private static final Pattern EXAMPLE = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);
  private static final Pattern PROGRAM = Pattern.compile("public final class (\\w+)");

  /** What the page omits around an example that is not a complete program. */
  private static final String FRAME =
      """
      import io.tidemark.avro.object.FastDatumWriter;
      import io.tidemark.registry.*;
      import io.tidemark.registry.cache.*;
      import io.tidemark.registry.config.*;
      import io.tidemark.registry.confluent.ConfluentRegistry;
      import io.tidemark.registry.http.HttpSettings;
      import io.tidemark.registry.kafka.AvroDeserializer;
      import io.tidemark.registry.security.BasicCredentials;
      import java.io.ByteArrayOutputStream;
      import java.time.Duration;
      import java.util.*;
      import org.apache.avro.Schema;
      import org.apache.avro.generic.GenericRecord;
      import org.apache.avro.io.*;
      import org.apache.kafka.clients.consumer.*;
      import org.apache.kafka.clients.producer.*;
      import org.apache.kafka.common.errors.*;
      import org.apache.kafka.common.serialization.ByteArrayDeserializer;

      class Example%d {
        class Order {}

        RegistryConfig config;
        Schema schema;
        SchemaId id;
        GenericRecord order;
        FastDatumWriter<GenericRecord> writer;
        KafkaProducer<byte[], byte[]> producer;

        void run() throws Exception {
      %s
        }
      }
      """;

  @TempDir Path directory;

  @Test
  void everyExampleCompiles() throws IOException {
    List<String> examples =
        EXAMPLE
            .matcher(Files.readString(PAGE))
            .results()
            .map((MatchResult example) -> example.group(1))
            .toList();
    assertThat(examples).isNotEmpty();
    for (int i = 0; i < examples.size(); i++) {
      Matcher program = PROGRAM.matcher(examples.get(i));
      boolean complete = program.find();
      Path source = directory.resolve((complete ? program.group(1) : "Example" + i) + ".java");
      Files.writeString(source, complete ? examples.get(i) : FRAME.formatted(i, examples.get(i)));
      assertThat(errors(source)).as(examples.get(i)).isEmpty();
    }
  }

  private static String errors(Path source) {
    ByteArrayOutputStream errors = new ByteArrayOutputStream();
    ToolProvider.getSystemJavaCompiler()
        .run(
            null,
            null,
            errors,
            "-proc:none",
            "-nowarn",
            "-classpath",
            System.getProperty("java.class.path"),
            source.toString());
    return errors.toString(UTF_8);
  }
}
