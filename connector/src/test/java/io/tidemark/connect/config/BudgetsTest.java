package io.tidemark.connect.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The main code and each document keep their budgets of CONTRIBUTING.md. */
class BudgetsTest {
  private static final Path ROOT = Path.of("..");
  private static final Path TABLE = ROOT.resolve("CONTRIBUTING.md");
  private static final String HEADING = "## Budgets";

  /** A row. Example: {@code | docs/CONFIG.md | 700 | without tables |}. */
  private static final Pattern ROW = Pattern.compile("\\| (\\S+\\.md) \\| (\\d+) \\|(.*)\\|");

  /** Of documents that are mostly tables: their rows do not count. */
  private static final String WITHOUT_TABLES = "without tables";

  private static final int MOST_WORDS = 50_000;

  /** Lines of main code. Example: {@code completeness and connector together: at most 43,000}. */
  private static final Pattern LINES = Pattern.compile("together:\\s+at most ([\\d,]+)");

  private static final List<String> MODULES = List.of("store", "completeness", "connector");

  /** The documents that an operator must read. */
  private static final Set<String> OF_OPERATORS =
      Set.of(
          "docs/OPERATIONS.md",
          "docs/RELIABILITY.md",
          "docs/COMPLETENESS.md",
          "docs/CLI.md",
          "docs/METRICS.md",
          "docs/CONFIG.md");

  private static final int MOST_WORDS_OF_OPERATORS = 18_000;

  private record Budget(String document, int words, boolean countsTables) {

    static Budget of(Matcher row) {
      String counts = row.group(3).strip();
      assertThat(counts).as(row.group()).isIn("", WITHOUT_TABLES);
      return new Budget(row.group(1), Integer.parseInt(row.group(2)), counts.isEmpty());
    }

    /** The number of words that the document has; 0 if it does not exist. */
    long used() throws IOException {
      Path file = ROOT.resolve(document);
      if (!Files.exists(file)) {
        return 0; // Another test reports it.
      }
      try (Stream<String> lines = Files.lines(file)) {
        return lines
            .filter(line -> countsTables || !line.startsWith("|"))
            .flatMap(line -> Stream.of(line.strip().split("\\s+", -1)))
            .filter(word -> !word.isEmpty())
            .count();
      }
    }
  }

  @Test
  void noDocumentExceedsItsBudget() throws IOException {
    List<String> exceeded = new ArrayList<>();
    for (Budget budget : budgets()) {
      long used = budget.used();
      if (used > budget.words()) {
        exceeded.add("%s: %d words of %d".formatted(budget.document(), used, budget.words()));
      }
    }
    assertThat(exceeded).as("documents that are longer than %s permits", TABLE).isEmpty();
  }

  @Test
  void everyDocumentHasOneBudget() throws IOException {
    List<String> documents = new ArrayList<>(List.of("CONTRIBUTING.md", "README.md"));
    for (String folder : List.of("docs", "docs/tests")) {
      try (Stream<Path> files = Files.list(ROOT.resolve(folder))) {
        files
            .map(file -> folder + "/" + file.getFileName())
            .filter(file -> file.endsWith(".md"))
            .forEach(documents::add);
      }
    }
    assertThat(budgets().stream().map(Budget::document))
        .containsExactlyInAnyOrderElementsOf(documents);
  }

  @Test
  void budgetsOfAllDocumentsHaveALimit() throws IOException {
    assertThat(budgets().stream().mapToInt(Budget::words).sum()).isLessThanOrEqualTo(MOST_WORDS);
  }

  @Test
  void budgetsOfWhatOperatorsReadHaveALimit() throws IOException {
    List<Budget> read =
        budgets().stream().filter(budget -> OF_OPERATORS.contains(budget.document())).toList();
    assertThat(read).hasSameSizeAs(OF_OPERATORS);
    assertThat(read.stream().mapToInt(Budget::words).sum())
        .isLessThanOrEqualTo(MOST_WORDS_OF_OPERATORS);
  }

  @Test
  void mainCodeHasNoMoreLinesThanItsBudget() throws IOException {
    Matcher budget = LINES.matcher(Files.readString(TABLE));
    assertThat(budget.find()).as("%s has no budget of lines", TABLE).isTrue();
    long lines = 0;
    for (String module : MODULES) {
      try (Stream<Path> files = Files.walk(ROOT.resolve(module).resolve("src/main/java"))) {
        for (Path file : files.filter(each -> each.toString().endsWith(".java")).toList()) {
          try (Stream<String> all = Files.lines(file)) {
            lines += all.count();
          }
        }
      }
    }
    assertThat(lines).isLessThanOrEqualTo(Long.parseLong(budget.group(1).replace(",", "")));
  }

  private static List<Budget> budgets() throws IOException {
    return Files.readAllLines(TABLE).stream()
        .dropWhile(line -> !line.equals(HEADING))
        .skip(1)
        .takeWhile(line -> !line.startsWith("## "))
        .map(ROW::matcher)
        .filter(Matcher::matches)
        .map(Budget::of)
        .toList();
  }
}
