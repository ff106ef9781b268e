package io.tidemark.benchmarks.articles.avrofastserde;

import io.tidemark.benchmarks.articles.Figure;
import io.tidemark.benchmarks.articles.Table;
import io.tidemark.benchmarks.run.Axis;
import io.tidemark.benchmarks.run.BarChart;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The tables and plots of records a second. */
final class ObjectReport {
  private static final List<String> WORKS =
      List.of("generic read", "specific read", "generic write", "specific write");

  private final List<Figure> figures;

  ObjectReport(List<Figure> figures) {
    this.figures = List.copyOf(figures);
  }

  /** Returns a table for each shape, and one of the article's claims in words. */
  List<Table> tables() {
    var tables = new ArrayList<Table>();
    tables.add(claims());
    for (String shape : shapes()) {
      tables.add(table(shape));
    }
    return tables;
  }

  private List<String> shapes() {
    return figures.stream().map(Figure::group).distinct().toList();
  }

  private Optional<Figure> find(String shape, String work, Library library) {
    return figures.stream()
        .filter(figure -> figure.group().equals(shape))
        .filter(figure -> figure.name().equals(work))
        .filter(figure -> figure.contender().equals(library.label()))
        .findFirst();
  }

  private List<Library> libraries() {
    return Arrays.stream(Library.values())
        .filter(
            library ->
                figures.stream().anyMatch(figure -> figure.contender().equals(library.label())))
        .toList();
  }

  private Table table(String shape) {
    var head = new ArrayList<>(List.of("work"));
    libraries().forEach(library -> head.add(library.label()));
    var table = new Table(shape + ", records/s", head.toArray(String[]::new));
    for (String work : WORKS) {
      var row = new ArrayList<>(List.of(work));
      for (Library library : libraries()) {
        row.add(find(shape, work, library).map(each -> Table.number(each.median())).orElse(""));
      }
      table.row(row.toArray(String[]::new));
    }
    return table;
  }

  /**
   * Returns the table of the article's claims: its charts are pictures, but its text has ratios.
   */
  private Table claims() {
    var table =
        new Table(
            "Times as fast as Avro's own library",
            "records",
            "work",
            "article",
            "fastserde of stock 1.8.2",
            "ours of stock 1.8.2",
            "ours of stock 1.12.1",
            "ours, of byte[], of stock 1.12.1",
            "ours, already decoded, of stock 1.12.1",
            "ours of fastserde");
    for (String shape : shapes()) {
      for (String work : WORKS) {
        table.row(
            shape,
            work,
            article(shape, work),
            ratio(shape, work, Library.FAST_SERDE, Library.STOCK_1_8),
            ratio(shape, work, Library.OURS, Library.STOCK_1_8),
            ratio(shape, work, Library.OURS, Library.STOCK_1_12),
            ratio(shape, work, Library.OURS_OF_BYTES, Library.STOCK_1_12),
            ratio(shape, work, Library.DECODED, Library.STOCK_1_12),
            ratio(shape, work, Library.OURS, Library.FAST_SERDE));
      }
    }
    return table;
  }

  /** Returns the article's claim about a shape, in its own words. */
  static String article(String shape, String work) {
    if (shape.equals("real life")) {
      return switch (work) {
        case "generic read" -> "\"more than twofold\"";
        case "specific read" -> "\"quadrupled\"";
        case "specific write" -> "\"almost five times\"";
        default -> "";
      };
    }
    if (shape.equals("small deep, all unions")) {
      return "\"at least two times\"";
    }
    return shape.endsWith("all unions") ? "" : "\"about 50% faster\"";
  }

  private String ratio(String shape, String work, Library library, Library of) {
    Optional<Figure> value = find(shape, work, library);
    Optional<Figure> base = find(shape, work, of);
    return value.isPresent() && base.isPresent()
        ? Table.ratio(value.get().median(), base.get().median())
        : "";
  }

  /** Returns a chart for shapes of unions, and charts for all others, generic and specific. */
  Map<String, BarChart> charts() {
    var charts = new LinkedHashMap<String, BarChart>();
    for (String shape : shapes()) {
      boolean first = shape.equals("real life") || shape.equals("small deep, all unions");
      for (String work : WORKS) {
        String kind = work.substring(0, work.indexOf(' '));
        BarChart chart =
            charts.computeIfAbsent(
                first ? "results" : kind,
                name ->
                    new BarChart(
                        "avro-fastserde: "
                            + (first ? "records of unions" : kind + " records of generated shapes"),
                        "records a second, more is better",
                        Axis.LOGARITHMIC));
        chart.group(shape + ", " + work);
        for (Library library : libraries()) {
          find(shape, work, library).ifPresent(each -> chart.bar(library.label(), each.median()));
        }
      }
    }
    return charts;
  }
}
