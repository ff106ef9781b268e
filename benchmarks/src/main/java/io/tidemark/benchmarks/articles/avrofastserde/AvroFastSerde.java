package io.tidemark.benchmarks.articles.avrofastserde;

import io.tidemark.benchmarks.articles.ArticleOptions;
import io.tidemark.benchmarks.articles.Experiment;
import io.tidemark.benchmarks.articles.Figure;
import io.tidemark.benchmarks.articles.ForkedJvm;
import io.tidemark.benchmarks.articles.Outcome;
import io.tidemark.benchmarks.articles.PassTimer;
import io.tidemark.benchmarks.articles.Rounds;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * The benchmark of RTB House's article on avro-fastserde: generic and specific records of several
 * shapes, read and written by Avro's library, by avro-fastserde and by fast-avro.
 */
public final class AvroFastSerde implements Experiment {
  // A pass over the largest records is slow until the JIT compiler has finished.
  private static final PassTimer QUICK =
      new PassTimer(Duration.ofMillis(700), Duration.ofMillis(70), 3);
  private static final PassTimer WHOLE =
      new PassTimer(Duration.ofMillis(800), Duration.ofMillis(60), 8);

  private final Path module;
  private final Path temporary;

  /**
   * Creates the experiment.
   *
   * @param module the directory of the module benchmarks
   * @param temporary the folder of schemas, datums and classes
   */
  public AvroFastSerde(Path module, Path temporary) {
    this.module = module.toAbsolutePath();
    this.temporary = temporary.resolve("avro-fastserde");
  }

  /** The work of one JVM: reading, and for most libraries writing. */
  private record Cell(Shape shape, boolean specific, Library library) {
    String kind() {
      return specific ? "specific" : "generic";
    }

    @Override
    public String toString() {
      return shape.name() + ", " + kind() + ", " + library.label();
    }
  }

  @Override
  public String name() {
    return "avro-fastserde";
  }

  @Override
  public Outcome run(ArticleOptions options) throws IOException, InterruptedException {
    PassTimer timer = options.quick() ? QUICK : WHOLE;
    var rounds = new Rounds(options, options.quick() ? 1 : 3);
    List<Shape> shapes =
        Shape.all().stream().filter(shape -> shape.quick() || !options.quick()).toList();
    System.out.printf("makes classes for %d shapes of records%n", shapes.size());
    for (Shape shape : shapes) {
      Preparation.prepare(shape, folder(shape));
    }
    Map<Cell, List<double[]>> nanos =
        rounds.measure(cells(shapes, options.quick()), cell -> fork(cell, timer));
    var figures = new ArrayList<Figure>();
    nanos.forEach(
        (cell, ofRounds) -> {
          figures.add(figure(cell, "read", ofRounds.stream().map(each -> each[0]).toList()));
          if (cell.library.writes()) {
            figures.add(figure(cell, "write", ofRounds.stream().map(each -> each[1]).toList()));
          }
        });
    var report = new ObjectReport(figures);
    return new Outcome(figures, report.tables(), report.charts(), settings(timer));
  }

  private static List<Cell> cells(List<Shape> shapes, boolean quick) {
    var cells = new ArrayList<Cell>();
    for (Shape shape : shapes) {
      for (boolean specific : List.of(false, true)) {
        for (Library library : Library.values()) {
          if ((library.isQuick() || !quick)
              && (shape.fastSerde() || library != Library.FAST_SERDE)) {
            cells.add(new Cell(shape, specific, library));
          }
        }
      }
    }
    return cells;
  }

  private double[] fork(Cell cell, PassTimer timer) throws IOException, InterruptedException {
    Path folder = folder(cell.shape);
    var arguments = new ArrayList<>(List.of(cell.library.name(), cell.kind(), folder.toString()));
    arguments.addAll(timer.arguments());
    String classPath = cell.library.classPath(module, folder.resolve(Preparation.CLASSES));
    List<String> lines = ForkedJvm.lines(classPath, ObjectFork.class, arguments);
    return ForkedJvm.numbers(lines.get(lines.size() - 1));
  }

  private Path folder(Shape shape) {
    return temporary.resolve(shape.folder());
  }

  private static Figure figure(Cell cell, String work, List<Double> nanos) {
    return new Figure(
        cell.shape.name(),
        cell.kind() + " " + work,
        cell.library.label(),
        "records/s",
        nanos.stream().map(each -> 1e9 / each).toList(),
        OptionalDouble.empty());
  }

  private static Map<String, Object> settings(PassTimer timer) {
    var settings = new LinkedHashMap<String, Object>();
    settings.put("jvmOptions", String.join(" ", ForkedJvm.OPTIONS));
    settings.put("records", Preparation.RECORDS);
    settings.put("warmUpMs", timer.warmUp().toMillis());
    settings.put("measuredMs", timer.iterations() * timer.iteration().toMillis());
    return settings;
  }
}
