package io.tidemark.benchmarks.articles;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The results of an experiment: printed tables, {@code results.json} with every round, {@code
 * results.md} and plots.
 */
final class ArticleReport {
  private final String name;
  private final Outcome outcome;
  private final Map<String, Object> run;

  /**
   * Creates a report.
   *
   * @param run the options of the run, and the machine
   */
  ArticleReport(String name, Outcome outcome, Map<String, Object> run) {
    this.name = name;
    this.outcome = outcome;
    this.run = run;
  }

  void print(PrintStream out) {
    for (Table table : outcome.tables()) {
      out.println();
      out.print(table.text());
    }
  }

  void write(Path directory) throws IOException {
    Files.createDirectories(directory);
    var json = new LinkedHashMap<String, Object>();
    json.put("article", name);
    json.put("run", run);
    json.put("settings", outcome.settings());
    json.put("figures", outcome.figures().stream().map(Figure::row).toList());
    var mapper = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);
    Files.writeString(directory.resolve("results.json"), mapper.writeValueAsString(json) + '\n');
    Files.writeString(directory.resolve("results.md"), markdown());
    for (var plot : outcome.plots().entrySet()) {
      Files.writeString(directory.resolve(plot.getKey() + ".svg"), plot.getValue().svg());
    }
  }

  String markdown() {
    var text = new StringBuilder("# Results\n\n");
    text.append("Written by `benchmarks/articles/run ")
        .append(name)
        .append("`; every round is in ");
    text.append("[results.json](results.json). [README.md](README.md) has the measurements.\n\n");
    for (var fact : run.entrySet()) {
      text.append("- ").append(fact.getKey()).append(": ").append(fact.getValue()).append('\n');
    }
    text.append('\n');
    for (String plot : outcome.plots().keySet()) {
      text.append("![").append(plot).append("](").append(plot).append(".svg)\n\n");
    }
    outcome.tables().forEach(table -> text.append(table.markdown()).append('\n'));
    return text.toString().stripTrailing() + '\n';
  }
}
