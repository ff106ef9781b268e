package io.tidemark.connect.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.registry.config.RegistryConfig;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The names in documents exist: tests, settings, other documents and their headings. */
class DocumentsTest {
  private static final Path ROOT = Path.of("..");
  private static final Pattern TEST_NAME = Pattern.compile("`([A-Z]\\w*[a-z]\\w*(?:Test|IT))\\b");

  /** Example: {@code [the calls](RELIABILITY.md#name-node-calls)}. */
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)#\\s]*)(?:#([^)\\s]*))?\\)");

  private static final Pattern HEADING = Pattern.compile("(?m)^#+ (.*)$");

  /** Prefixes that only Tidemark's settings have. */
  private static final Pattern OWN_KEY =
      Pattern.compile(
          "`((?:batch|completeness|ledger|storage|staging|memory|validation|refusal|operator"
              + "|cluster|dead|logs|log|commit|shutdown)\\.[a-z.]+[a-z])(?:=[^`]*)?`");

  /** Settings of Kafka and Confluent with such a prefix. */
  private static final Set<String> OF_OTHERS =
      Set.of(
          "log.retention.ms",
          "storage.class",
          "validation.rules.execution",
          "validation.rules.executor.class",
          "validation.rules.fail.fast");

  @Test
  void everyTestThatADocumentNamesIsThere() throws IOException {
    Set<String> tests =
        files(".*/src/test/java/.*").stream()
            .map(file -> file.getFileName().toString().replace(".java", ""))
            .collect(Collectors.toSet());
    for (Path document : documents()) {
      assertThat(found(TEST_NAME, document)).as("tests in %s", document).isSubsetOf(tests);
    }
  }

  @Test
  void everySettingThatADocumentNamesIsOne() throws IOException {
    Set<String> known = new HashSet<>(ConnectorConfig.DEFINITION.names());
    known.addAll(RegistryConfig.keys());
    known.addAll(OF_OTHERS);
    for (Path document : documents()) {
      assertThat(found(OWN_KEY, document)).as("settings in %s", document).isSubsetOf(known);
    }
  }

  @Test
  void everyLinkBetweenDocumentsLeadsSomewhere() throws IOException {
    List<String> dead = new ArrayList<>();
    for (Path document : documents()) {
      Matcher link = LINK.matcher(Files.readString(document));
      while (link.find()) {
        if (link.group(1).startsWith("http")) {
          continue;
        }
        Path target =
            link.group(1).isEmpty() ? document : document.resolveSibling(link.group(1)).normalize();
        boolean leads =
            Files.exists(target)
                && (link.group(2) == null
                    || !target.toString().endsWith(".md")
                    || anchors(target).contains(link.group(2)));
        if (!leads) {
          dead.add(document + ": " + link.group());
        }
      }
    }
    assertThat(dead).isEmpty();
  }

  private static Set<String> anchors(Path document) throws IOException {
    return HEADING
        .matcher(Files.readString(document))
        .results()
        .map(heading -> heading.group(1).toLowerCase(Locale.ROOT))
        .map(heading -> heading.replaceAll("[^\\w\\- ]", "").trim().replace(' ', '-'))
        .collect(Collectors.toSet());
  }

  private static List<String> found(Pattern name, Path document) throws IOException {
    return name.matcher(Files.readString(document))
        .results()
        .map(match -> match.group(1))
        .distinct()
        .toList();
  }

  /** All documents of the project. */
  static List<Path> documents() throws IOException {
    return files(".*\\.md");
  }

  /** The files of the project, without what builds have made, whose paths match. */
  static List<Path> files(String regex) throws IOException {
    List<Path> files = new ArrayList<>();
    Files.walkFileTree(
        ROOT,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
            return folder.endsWith("target") || folder.endsWith(".git")
                ? FileVisitResult.SKIP_SUBTREE
                : FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            if (file.toString().matches(regex)) {
              files.add(file.normalize());
            }
            return FileVisitResult.CONTINUE;
          }
        });
    return files.stream().sorted().toList();
  }
}
