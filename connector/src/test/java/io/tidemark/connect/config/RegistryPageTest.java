package io.tidemark.connect.config;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The examples of docs/REGISTRY.md compile. Those of FAST-AVRO.md are in LibraryPageTest. */
class RegistryPageTest {
  private static final Path PAGE = Path.of("..", "docs", "REGISTRY.md");

  private static final Pattern EXAMPLE = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);

  /** What the page omits around an example. */
  private static final String FRAME =
      """
      import io.tidemark.avro.object.*;
      import io.tidemark.registry.*;
      import io.tidemark.registry.cache.*;
      import io.tidemark.registry.config.*;
      import io.tidemark.registry.confluent.ConfluentRegistry;
      import io.tidemark.registry.http.HttpSettings;
      import io.tidemark.registry.security.BasicCredentials;
      import io.tidemark.registry.wire.*;
      import java.io.ByteArrayOutputStream;
      import java.time.Duration;
      import java.util.*;
      import org.apache.avro.Schema;
      import org.apache.avro.generic.GenericRecord;
      import org.apache.avro.io.*;
      import org.apache.kafka.clients.consumer.*;
      import org.apache.kafka.clients.producer.*;
      import org.apache.kafka.common.header.Header;

      class Example%d {
        RegistryConfig config;
        SchemaRegistry registry;
        Schema schema;
        GenericRecord order;
        FastDatumWriter<GenericRecord> writer;
        KafkaProducer<byte[], byte[]> producer;
        KafkaConsumer<byte[], byte[]> consumer;

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
      Path source = directory.resolve("Example" + i + ".java");
      Files.writeString(source, FRAME.formatted(i, examples.get(i)));
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
