package io.tidemark.registry.cache;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.registry.Printable;
import io.tidemark.registry.SchemaId;
import io.tidemark.registry.SchemaRule;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.zip.CRC32C;

/**
 * The cache file of schemas: a header line, then a line for each schema.
 *
 * <pre>
 *   {"format":"tidemark-schemas","version":1,"registry":"http://registry:8081","crc32c":"1f2e3d4c"}
 *   {"int32":4711,"schema":"{\"type\":\"record\",...}"}
 *   {"guid":"89791762-2336-40d8-9d1e-8c8f4b5e2ea7","schema":"\"long\""}
 *   {"subject":"orders","id":"3","schema":"\"long\""}
 *   {"fingerprint":"c70f3e1a02b4d5e6","schema":"\"long\""}
 *   {"int32":12,"schema":"\"string\"","rules":[["DOMAIN","pii","ENCRYPT","WRITEREAD"]]}
 * </pre>
 *
 * <p>The checksum covers all bytes after the first line. The file is replaced atomically: a reader
 * sees the old file or the new file. A file that does not begin like the first line above belongs
 * to another program: it is neither replaced nor deleted.
 */
final class SchemaCopyFile {
  private static final String FORMAT = "tidemark-schemas";
  private static final int VERSION = 1;
  private static final String TEMPORARY = ".tmp";

  /** The first bytes of each cache file. */
  private static final byte[] HEAD =
      ("{\"format\":\"" + FORMAT + "\"").getBytes(StandardCharsets.UTF_8);

  /** Accepts strings of any length: the size of the file is checked before it is read. */
  private static final JsonMapper JSON =
      new JsonMapper(
          JsonFactory.builder()
              .streamReadConstraints(
                  StreamReadConstraints.builder().maxStringLength(Integer.MAX_VALUE).build())
              .build());

  /** The maximum size of a character of a schema in JSON: an escaped control character. */
  private static final int MAX_BYTES_A_CHARACTER = 6;

  private static final long MAX_BYTES_BESIDES = 64L << 20;

  /** A schema's text and its rules. */
  record Line(String text, List<SchemaRule> rules) {}

  private final Path path;
  private final String registry;
  private final long maxFileBytes;

  SchemaCopyFile(Path path, String registry, long maxBytes) {
    this.path = path.toAbsolutePath();
    this.registry = registry;
    this.maxFileBytes =
        Math.min(Integer.MAX_VALUE - 16, maxBytes * MAX_BYTES_A_CHARACTER + MAX_BYTES_BESIDES);
  }

  /**
   * Returns the schemas in the file; empty if the file does not exist.
   *
   * @throws IOException if the file cannot be read, is damaged, or is not the cache file of this
   *     registry
   */
  Map<SchemaId, Line> read() throws IOException {
    deleteLeftovers();
    if (!Files.exists(path)) {
      return new LinkedHashMap<>();
    }
    requireOurs();
    if (Files.size(path) > maxFileBytes) {
      throw new IOException("it is larger than " + maxFileBytes + " bytes");
    }
    byte[] bytes = Files.readAllBytes(path);
    int body = 0;
    while (body < bytes.length && bytes[body] != '\n') {
      body++;
    }
    if (body == bytes.length) {
      throw new IOException("its first line has no end");
    }
    check(JSON.readTree(bytes, 0, body), crc(bytes, body + 1));
    Map<SchemaId, Line> texts = new LinkedHashMap<>();
    String lines = new String(bytes, body + 1, bytes.length - body - 1, StandardCharsets.UTF_8);
    for (Iterator<String> line = lines.lines().iterator(); line.hasNext(); ) {
      JsonNode json = JSON.readTree(line.next());
      texts.put(id(json), new Line(json.path("schema").asText(), rules(json)));
    }
    return texts;
  }

  /** Deletes old temporary files of processes that were killed; writing takes only seconds. */
  private void deleteLeftovers() throws IOException {
    Path directory = path.getParent();
    if (directory == null || !Files.isDirectory(directory)) {
      return;
    }
    Instant old = Instant.now().minus(1, ChronoUnit.HOURS);
    try (DirectoryStream<Path> files =
        Files.newDirectoryStream(directory, file -> isTemporary(file.getFileName().toString()))) {
      for (Path file : files) {
        if (Files.getLastModifiedTime(file).toInstant().isBefore(old)
            && (isOurs(file) || Files.size(file) == 0)) {
          Files.deleteIfExists(file);
        }
      }
    }
  }

  private boolean isTemporary(String name) {
    return name.startsWith(path.getFileName() + ".") && name.endsWith(TEMPORARY);
  }

  private void requireOurs() throws IOException {
    if (!isOurs(path)) {
      throw new IOException(
          "it is not a cache file of schemas, so it is not replaced; set"
              + " schema.registry.cache.file to another path, or remove the file");
    }
  }

  private static boolean isOurs(Path file) throws IOException {
    if (!Files.isRegularFile(file)) {
      return false;
    }
    try (InputStream in = Files.newInputStream(file)) {
      return Arrays.equals(in.readNBytes(HEAD.length), HEAD);
    }
  }

  private void check(JsonNode head, String crc) throws IOException {
    if (head.path("version").asInt() != VERSION) {
      throw new IOException(
          "it has version " + head.path("version").asText() + ", but expected is " + VERSION);
    }
    if (!head.path("registry").asText().equals(registry)) {
      throw new IOException(
          "it is the cache file of " + head.path("registry").asText() + ", not of " + registry);
    }
    if (!head.path("crc32c").asText().equals(crc)) {
      throw new IOException("its checksum is wrong");
    }
  }

  /** Replaces the file atomically. */
  void write(Map<SchemaId, Line> texts) throws IOException {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    for (Map.Entry<SchemaId, Line> entry : texts.entrySet()) {
      ObjectNode line = line(entry.getKey()).put("schema", entry.getValue().text());
      for (SchemaRule rule : entry.getValue().rules()) {
        line.withArray("rules")
            .addArray()
            .add(rule.phase().name())
            .add(rule.name())
            .add(rule.type())
            .add(rule.mode());
      }
      body.writeBytes(JSON.writeValueAsBytes(line));
      body.write('\n');
    }
    byte[] lines = body.toByteArray();
    ObjectNode head =
        JSON.createObjectNode()
            .put("format", FORMAT)
            .put("version", VERSION)
            .put("registry", registry)
            .put("crc32c", crc(lines, 0));
    if (Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
      requireOurs();
    }
    Path directory = path.getParent();
    if (directory != null) {
      Files.createDirectories(directory);
    }
    Path written = Files.createTempFile(directory, path.getFileName() + ".", TEMPORARY);
    try {
      try (FileChannel channel = FileChannel.open(written, StandardOpenOption.WRITE)) {
        writeAll(channel, JSON.writeValueAsBytes(head));
        writeAll(channel, new byte[] {'\n'});
        writeAll(channel, lines);
        channel.force(true);
      }
      Files.move(written, path, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(written);
    }
  }

  private static void writeAll(FileChannel channel, byte[] bytes) throws IOException {
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    while (buffer.hasRemaining()) {
      channel.write(buffer);
    }
  }

  private static String crc(byte[] bytes, int from) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, from, bytes.length - from);
    return HexFormat.of().toHexDigits((int) crc.getValue());
  }

  private static ObjectNode line(SchemaId id) {
    ObjectNode line = JSON.createObjectNode();
    if (id instanceof SchemaId.Int32 number) {
      return line.put("int32", number.value());
    }
    if (id instanceof SchemaId.Guid guid) {
      return line.put("guid", guid.value().toString());
    }
    if (id instanceof SchemaId.OfSubject ofSubject) {
      return line.put("subject", ofSubject.subject()).put("id", ofSubject.value());
    }
    long fingerprint = ((SchemaId.Fingerprint) id).value();
    return line.put("fingerprint", HexFormat.of().toHexDigits(fingerprint));
  }

  private static List<SchemaRule> rules(JsonNode line) throws IOException {
    List<SchemaRule> rules = new ArrayList<>();
    try {
      for (JsonNode rule : line.path("rules")) {
        rules.add(
            new SchemaRule(
                SchemaRule.Phase.valueOf(rule.path(0).asText()),
                rule.path(1).asText(),
                rule.path(2).asText(),
                rule.path(3).asText()));
      }
    } catch (IllegalArgumentException e) {
      throw new IOException("a line of it has a rule of another phase", e);
    }
    return rules;
  }

  private static SchemaId id(JsonNode line) throws IOException {
    try {
      if (line.path("int32").isInt()) {
        return SchemaId.of(line.path("int32").intValue());
      }
      if (line.has("guid")) {
        return new SchemaId.Guid(UUID.fromString(line.path("guid").asText()));
      }
      if (line.has("subject")) {
        return new SchemaId.OfSubject(line.path("subject").asText(), line.path("id").asText());
      }
      return new SchemaId.Fingerprint(
          HexFormat.fromHexDigitsToLong(line.path("fingerprint").asText()));
    } catch (IllegalArgumentException e) {
      throw new IOException("a line of it has no id", e);
    }
  }

  @Override
  public String toString() {
    return "the cache file " + Printable.of(path.toString());
  }
}
