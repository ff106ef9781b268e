package io.tidemark.benchmarks.articles.fastavrowrite;

import io.tidemark.benchmarks.articles.Figure;
import io.tidemark.benchmarks.articles.Table;
import io.tidemark.benchmarks.articles.fastavrowrite.WriteMode.Library;
import io.tidemark.benchmarks.run.Axis;
import io.tidemark.benchmarks.run.BarChart;
import java.util.List;

/** The tables and plots of "Fast Avro Write". */
final class WriteReport {
  static final String WRITERS = "writers";
  static final String BUFFERS = "buffers";

  /** "With the existing Avro library we could achieve about 60k records/second". */
  private static final double ARTICLE_STOCK_RECORDS_PER_SECOND = 60_000;

  private final List<Figure> figures;

  /** Creates a report from milliseconds for each file. */
  WriteReport(List<Figure> figures) {
    this.figures = List.copyOf(figures);
  }

  private List<Figure> ofGroup(String group) {
    return figures.stream().filter(figure -> figure.group().equals(group)).toList();
  }

  private static double perSecond(Figure figure, int records) {
    return records * 1_000.0 / figure.median();
  }

  /** Returns the table of writers, each with its lowest, median and highest time of a file. */
  Table writers(int records) {
    var table =
        new Table(
            String.format("%,d quotes into a file, snappy, buffer 4 MiB", records),
            "writer",
            "lowest ms",
            "median ms",
            "highest ms",
            "records/s",
            "times stock",
            "article");
    List<Figure> writers = ofGroup(WRITERS);
    for (Figure figure : writers) {
      boolean stock = figure.contender().equals(Library.STOCK.label());
      table.row(
          figure.contender(),
          Table.number(figure.lowest()),
          Table.number(figure.median()),
          Table.number(figure.highest()),
          Table.number(perSecond(figure, records)),
          Table.ratio(writers.get(0).median(), figure.median()),
          stock ? "\"about 60k records/second\"" : "\"200%\" of Avro's library");
    }
    return table;
  }

  /** Returns the table of buffers, in the same form. */
  Table buffers(int records) {
    var table =
        new Table(
            String.format("%,d quotes into buffers of several sizes", records),
            "where",
            "writer",
            "lowest ms",
            "median ms",
            "highest ms",
            "records/s");
    for (Figure figure : ofGroup(BUFFERS)) {
      table.row(
          figure.name(),
          figure.contender(),
          Table.number(figure.lowest()),
          Table.number(figure.median()),
          Table.number(figure.highest()),
          Table.number(perSecond(figure, records)));
    }
    return table;
  }

  /**
   * Returns the table of small files, with the number of records from which parallel writing is
   * faster.
   */
  Table crossover(List<Crossover.Point> points, int parallelism) {
    var table =
        new Table(
            "Number of quotes from which parallel writing is faster, parallelism " + parallelism,
            "quotes",
            "one thread, ms",
            "parallel, ms",
            "times as fast",
            "article");
    for (Crossover.Point point : points) {
      table.row(
          Table.number(point.records()),
          Table.number(point.serialMs()),
          Table.number(point.parallelMs()),
          Table.ratio(point.serialMs(), point.parallelMs()),
          "");
    }
    var crossover = Crossover.of(points);
    table.row(
        crossover.isPresent()
            ? "faster from " + Table.number(crossover.getAsInt()) + " quotes"
            : "not faster at the largest number",
        "",
        "",
        "",
        "threshold 50k by default");
    return table;
  }

  /** Returns the chart of the writers' records a second. */
  BarChart writerChart(int records) {
    var chart =
        new BarChart(
            "Fast Avro Write: quotes of 78 fields into Avro files with snappy",
            "records a second, median of ten; more is better; the article's is of another machine",
            Axis.LINEAR);
    chart.group(String.format("%,d quotes into a file", records));
    chart.bar("article, Avro's library", ARTICLE_STOCK_RECORDS_PER_SECOND);
    ofGroup(WRITERS).forEach(figure -> chart.bar(figure.contender(), perSecond(figure, records)));
    return chart;
  }

  /** Returns the chart of the cost of a record of small files. */
  static BarChart crossoverChart(List<Crossover.Point> points) {
    var chart =
        new BarChart(
            "Fast Avro Write: small files by one thread and in parallel",
            "ns a record, less is better",
            Axis.LINEAR);
    for (Crossover.Point point : points) {
      chart.group(String.format("%,d quotes", point.records()));
      chart.bar("one thread", point.serialMs() * 1e6 / point.records());
      chart.bar("ours, parallel", point.parallelMs() * 1e6 / point.records());
    }
    return chart;
  }
}
