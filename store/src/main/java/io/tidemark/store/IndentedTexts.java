package io.tidemark.store;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/**
 * The texts of a resource, such as descriptions of keys. A text is indented below its head; lines
 * that begin with # are comments.
 *
 * <pre>
 * hadoop.conf.dir
 *   Directory with core-site.xml and hdfs-site.xml for the HDFS client. It must exist on every
 *   worker.
 * </pre>
 */
public final class IndentedTexts {
  private IndentedTexts() {}

  /** Returns the texts of a file in the package of {@code beside}, by head, in the file's order. */
  public static Map<String, String> read(Class<?> beside, String file) {
    Map<String, String> texts = new LinkedHashMap<>();
    try (InputStream in = beside.getResourceAsStream(file)) {
      String text = new String(Objects.requireNonNull(in, file).readAllBytes(), UTF_8);
      String head = "";
      for (String line : text.lines().toList()) {
        if (line.startsWith(" ")) {
          texts.merge(head, line.strip(), (one, next) -> one.isEmpty() ? next : one + " " + next);
        } else if (!line.isEmpty() && !line.startsWith("#")) {
          head = line;
          texts.put(head, "");
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return Collections.unmodifiableMap(texts);
  }
}
