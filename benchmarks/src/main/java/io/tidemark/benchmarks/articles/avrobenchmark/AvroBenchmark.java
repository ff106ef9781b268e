package io.tidemark.benchmarks.articles.avrobenchmark;

import io.tidemark.benchmarks.articles.ArticleOptions;
import io.tidemark.benchmarks.articles.Experiment;
import io.tidemark.benchmarks.articles.Figure;
import io.tidemark.benchmarks.articles.ForkedJvm;
import io.tidemark.benchmarks.articles.Outcome;
import io.tidemark.benchmarks.articles.PassTimer;
import io.tidemark.benchmarks.articles.Rounds;
import io.tidemark.benchmarks.articles.Table;
import io.tidemark.benchmarks.registry.RegistryHostProcess;
import io.tidemark.benchmarks.run.Axis;
import io.tidemark.benchmarks.run.BarChart;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The benchmark of the article "Avro Benchmark": reuse of objects, costs of types, and a registry.
 */
public final class AvroBenchmark implements Experiment {
  private static final String UNIT = "operations/s";
  private static final PassTimer WHOLE =
      new PassTimer(Duration.ofMillis(1_200), Duration.ofMillis(200), 5);

  @Override
  public String name() {
    return "avro-benchmark";
  }

  @Override
  public Outcome run(ArticleOptions options) throws IOException, InterruptedException {
    List<TestCase> all = TestCase.all();
    List<TestCase> cases =
        all.stream().filter(testCase -> testCase.quick() || !options.quick()).toList();
    PassTimer timer = options.quick() ? PassTimer.QUICK : WHOLE;
    Map<TestCase, List<Double>> nanos;
    try (RegistryHostProcess host = RegistryHostProcess.start()) {
      nanos =
          new Rounds(options, options.quick() ? 1 : 3)
              .measure(cases, testCase -> fork(all.indexOf(testCase), host.url(), timer));
    }
    List<Figure> figures =
        nanos.entrySet().stream().map(entry -> figure(entry.getKey(), entry.getValue())).toList();
    List<Table> tables = new ArrayList<>(tables(figures));
    tables.add(claims(figures));
    return new Outcome(figures, tables, Map.of("results", chart(figures)), settings(timer));
  }

  private static double fork(int number, String url, PassTimer timer)
      throws IOException, InterruptedException {
    var arguments = new ArrayList<>(List.of(Integer.toString(number), url));
    arguments.addAll(timer.arguments());
    List<String> lines = ForkedJvm.lines(ForkedJvm.ownClassPath(), CaseFork.class, arguments);
    return ForkedJvm.numbers(lines.get(0))[0];
  }

  private static Map<String, Object> settings(PassTimer timer) {
    var settings = new LinkedHashMap<String, Object>();
    settings.put("jvmOptions", String.join(" ", ForkedJvm.OPTIONS));
    settings.put("warmUpMs", timer.warmUp().toMillis());
    settings.put("measuredMs", timer.iterations() * timer.iteration().toMillis());
    return settings;
  }

  private static Figure figure(TestCase testCase, List<Double> nanos) {
    return new Figure(
        testCase.group(),
        testCase.name(),
        testCase.contender(),
        UNIT,
        nanos.stream().map(each -> 1e9 / each).toList(),
        testCase.article());
  }

  /** Returns a table for each group, with a row for each case and both contenders. */
  private static List<Table> tables(List<Figure> figures) {
    var tables = new ArrayList<Table>();
    for (String group : figures.stream().map(Figure::group).distinct().toList()) {
      var table =
          new Table(
              group + ", operations/s",
              "case",
              "article",
              Codec.STOCK,
              "lowest - highest",
              Codec.OURS,
              "ours of stock");
      for (String name : names(figures, group)) {
        Optional<Figure> stock = find(figures, group, name, Codec.STOCK);
        Optional<Figure> ours = find(figures, group, name, Codec.OURS);
        table.row(
            name,
            stock.map(figure -> Table.number(figure.article())).orElse(""),
            stock.map(figure -> Table.number(figure.median())).orElse(""),
            stock
                .map(
                    figure ->
                        Table.number(figure.lowest()) + " - " + Table.number(figure.highest()))
                .orElse(""),
            ours.map(figure -> Table.number(figure.median())).orElse(""),
            stock.isPresent() && ours.isPresent()
                ? Table.ratio(ours.get().median(), stock.get().median())
                : "");
      }
      tables.add(table);
    }
    return tables;
  }

  private static List<String> names(List<Figure> figures, String group) {
    return figures.stream()
        .filter(figure -> figure.group().equals(group))
        .map(Figure::name)
        .distinct()
        .toList();
  }

  private static Optional<Figure> find(
      List<Figure> figures, String group, String name, String contender) {
    return figures.stream()
        .filter(figure -> figure.group().equals(group))
        .filter(figure -> figure.name().equals(name))
        .filter(figure -> figure.contender().equals(contender))
        .findFirst();
  }

  /**
   * Returns the article's conclusions about Avro's library, as ratios of its figures and of these.
   */
  private static Table claims(List<Figure> figures) {
    var table =
        new Table(
            "The article's conclusions about Avro's library, as ratios",
            "ratio",
            "article",
            "here, stock",
            "here, ours");
    String other = "record new, decoder new, different bytes";
    claim(
        table,
        figures,
        "a reused record against a new one",
        "1.13, from its figures",
        new Ratio(
            DecoderCases.BUFFERED,
            "record reused, decoder new, different bytes",
            DecoderCases.BUFFERED,
            other));
    claim(
        table,
        figures,
        "a reused decoder against a new one",
        "0.99, from its figures",
        new Ratio(
            DecoderCases.BUFFERED,
            "record new, decoder reused, different bytes",
            DecoderCases.BUFFERED,
            other));
    claim(
        table,
        figures,
        "directBinaryDecoder against binaryDecoder",
        "\"~20% worse\"",
        new Ratio(
            DecoderCases.DIRECT,
            "record new, decoder new",
            DecoderCases.BUFFERED,
            "record new, decoder new, same bytes"));
    claim(
        table,
        figures,
        "81 doubles against 81 strings, decoded",
        "\"~20% more\"",
        new Ratio(TypeCases.DECODE, TypeCases.DOUBLES, TypeCases.DECODE, TypeCases.STRINGS));
    claim(
        table,
        figures,
        "a reused encoder against a new one, the article's lines",
        "0.04, from its figures",
        new Ratio(
            EncoderCases.AS_WRITTEN,
            EncoderCases.REUSED,
            EncoderCases.AS_WRITTEN,
            EncoderCases.NEW));
    claim(
        table,
        figures,
        "a reused encoder against a new one, with an array for each record",
        "",
        new Ratio(
            EncoderCases.BUFFERED, EncoderCases.REUSED, EncoderCases.BUFFERED, EncoderCases.NEW));
    return table;
  }

  /** The ratio of two cases. */
  private record Ratio(String group, String name, String ofGroup, String ofName) {
    String text(List<Figure> figures, String contender) {
      Optional<Figure> value = find(figures, group, name, contender);
      Optional<Figure> of = find(figures, ofGroup, ofName, contender);
      return value.isPresent() && of.isPresent()
          ? Table.ratio(value.get().median(), of.get().median())
          : "";
    }
  }

  private static void claim(
      Table table, List<Figure> figures, String what, String article, Ratio ratio) {
    table.row(what, article, ratio.text(figures, Codec.STOCK), ratio.text(figures, Codec.OURS));
  }

  private static BarChart chart(List<Figure> figures) {
    var chart =
        new BarChart(
            "Avro Benchmark: 81 optional strings read and written",
            "operations a second, more is better; the article's are of another machine",
            Axis.LOGARITHMIC);
    String heading = "";
    for (Figure figure : figures) {
      String next = figure.group() + ": " + figure.name();
      if (!next.equals(heading)) {
        chart.group(next);
        figure.article().ifPresent(value -> chart.bar("article, 2017", value));
        heading = next;
      }
      chart.bar(figure.contender(), figure.median());
    }
    return chart;
  }
}
