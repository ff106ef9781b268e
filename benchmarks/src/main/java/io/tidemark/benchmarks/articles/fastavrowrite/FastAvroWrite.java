package io.tidemark.benchmarks.articles.fastavrowrite;

import io.tidemark.benchmarks.articles.ArticleOptions;
import io.tidemark.benchmarks.articles.Experiment;
import io.tidemark.benchmarks.articles.Figure;
import io.tidemark.benchmarks.articles.ForkedJvm;
import io.tidemark.benchmarks.articles.Outcome;
import io.tidemark.benchmarks.articles.Rounds;
import io.tidemark.benchmarks.articles.fastavrowrite.WriteMode.Library;
import io.tidemark.benchmarks.articles.fastavrowrite.WriteMode.Target;
import io.tidemark.stack.LocalStack;
import io.tidemark.stack.Service;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeSet;

/**
 * The benchmark of the article "Fast Avro Write": a million quotes are written by up to more
 * threads than cores, with buffers of several sizes. It also finds the number of records from which
 * this is faster.
 */
public final class FastAvroWrite implements Experiment {
  private static final String MILLISECONDS = "ms";

  private final Path temporary;
  private final int cores = Runtime.getRuntime().availableProcessors();

  /**
   * Creates the experiment.
   *
   * @param temporary the directory of the files
   */
  public FastAvroWrite(Path temporary) {
    this.temporary = temporary.resolve("fast-avro-write");
  }

  /**
   * The amounts of a run.
   *
   * @param records the records of a file in the comparison of writers
   * @param bufferRecords the records of a file in the comparison of buffers
   * @param jvms the number of JVMs for each mode
   * @param warmUps the number of uncounted files in each JVM
   * @param runs the number of counted files in each JVM: ten of each mode in total, as in the
   *     article
   * @param sizes the numbers of records among which the crossover is searched
   */
  private record Scale(
      int records, int bufferRecords, int jvms, int warmUps, int runs, List<Integer> sizes) {
    private static final Scale WHOLE =
        new Scale(
            1_000_000,
            200_000,
            2,
            1,
            5,
            List.of(200, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000));
    private static final Scale QUICK =
        new Scale(50_000, 20_000, 1, 2, 10, List.of(200, 1_000, 2_000, 5_000, 20_000));
  }

  @Override
  public String name() {
    return "fast-avro-write";
  }

  @Override
  public Outcome run(ArticleOptions options) throws IOException, InterruptedException {
    Scale scale = options.quick() ? Scale.QUICK : Scale.WHOLE;
    var rounds = new Rounds(options, scale.jvms);
    var figures = new ArrayList<Figure>();
    String files = temporary.toString();
    measure(rounds, WriteReport.WRITERS, writers(), scale.records, scale, files, figures);
    List<Crossover.Point> points = crossover(scale);
    measure(
        rounds,
        WriteReport.BUFFERS,
        buffers(options.quick()),
        scale.bufferRecords,
        scale,
        files,
        figures);
    if (options.hdfs()) {
      onHdfs(rounds, scale, figures);
    }
    points.forEach(point -> addTo(figures, point));
    var report = new WriteReport(figures);
    return new Outcome(
        figures,
        List.of(
            report.writers(scale.records),
            report.buffers(scale.bufferRecords),
            report.crossover(points, cores)),
        Map.of(
            "results",
            report.writerChart(scale.records),
            "crossover",
            WriteReport.crossoverChart(points)),
        settings(scale));
  }

  private void onHdfs(Rounds rounds, Scale scale, List<Figure> figures)
      throws IOException, InterruptedException {
    Path services = Files.createTempDirectory(Files.createDirectories(temporary), "stack-");
    try (LocalStack stack = LocalStack.builder().directory(services).with(Service.HDFS).start()) {
      String uri = stack.hdfs().uri().toString();
      measure(
          rounds,
          WriteReport.BUFFERS,
          places(Target.HDFS, false),
          scale.bufferRecords,
          scale,
          uri,
          figures);
    }
  }

  /** Returns Avro's library, and fast-avro with fewer, as many and more threads than cores. */
  private List<WriteMode> writers() {
    var modes = new ArrayList<WriteMode>();
    modes.add(WriteMode.file(Library.STOCK, 1));
    for (int parallelism : new TreeSet<>(List.of(1, 2, cores, 2 * cores, 4 * cores, 8 * cores))) {
      modes.add(WriteMode.file(Library.OURS, parallelism));
    }
    modes.add(WriteMode.file(Library.OURS_WITH_AVROS_WRITER, cores));
    modes.add(WriteMode.file(Library.OURS_ENCODED, cores));
    return modes;
  }

  private List<WriteMode> buffers(boolean quick) {
    var modes = new ArrayList<>(places(Target.FILE, quick));
    modes.addAll(places(Target.SOCKET, quick));
    return modes;
  }

  /** Returns both libraries with all buffers of a target. */
  private List<WriteMode> places(Target target, boolean quick) {
    int least = 8 << 10;
    int most = WriteMode.ARTICLE_BUFFER;
    List<Integer> buffers =
        quick || target != Target.FILE
            ? List.of(least, most)
            : List.of(least, 64 << 10, 1 << 20, most);
    List<Integer> sendBuffers =
        quick || target == Target.FILE ? List.of(0) : List.of(0, 64 << 10, 1 << 20);
    var modes = new ArrayList<WriteMode>();
    for (int buffer : buffers) {
      for (int sendBuffer : sendBuffers) {
        modes.add(new WriteMode(Library.STOCK, 1, buffer, target, sendBuffer));
        modes.add(new WriteMode(Library.OURS, cores, buffer, target, sendBuffer));
      }
    }
    return modes;
  }

  private static void measure(
      Rounds rounds,
      String group,
      List<WriteMode> modes,
      int records,
      Scale scale,
      String where,
      List<Figure> figures)
      throws IOException, InterruptedException {
    Map<WriteMode, List<double[]>> times =
        rounds.measure(
            modes,
            mode -> {
              var arguments = new ArrayList<String>();
              arguments.add(where);
              for (int number : new int[] {records, scale.warmUps, scale.runs}) {
                arguments.add(Integer.toString(number));
              }
              arguments.addAll(mode.arguments());
              return ForkedJvm.numbers(
                  ForkedJvm.lines(ForkedJvm.ownClassPath(), WriteFork.class, arguments).get(0));
            });
    times.forEach(
        (mode, ofJvms) ->
            figures.add(
                new Figure(
                    group,
                    group.equals(WriteReport.WRITERS) ? records + " quotes" : mode.place(),
                    mode.writer(),
                    MILLISECONDS,
                    ofJvms.stream().flatMapToDouble(Arrays::stream).boxed().toList(),
                    OptionalDouble.empty())));
  }

  private List<Crossover.Point> crossover(Scale scale) throws IOException, InterruptedException {
    var arguments = new ArrayList<String>();
    arguments.add(temporary.toString());
    arguments.add(Integer.toString(cores));
    arguments.add(Integer.toString(scale.jvms * scale.runs + 1));
    scale.sizes.forEach(size -> arguments.add(Integer.toString(size)));
    return ForkedJvm.lines(ForkedJvm.ownClassPath(), WriteFork.OfSizes.class, arguments).stream()
        .map(ForkedJvm::numbers)
        .map(line -> new Crossover.Point((int) line[0], line[1], line[2]))
        .toList();
  }

  private void addTo(List<Figure> figures, Crossover.Point point) {
    String name = point.records() + " quotes";
    figures.add(crossover(name, "one thread", point.serialMs()));
    figures.add(crossover(name, "parallelism " + cores, point.parallelMs()));
  }

  private static Figure crossover(String name, String contender, double milliseconds) {
    return new Figure(
        "crossover",
        name,
        "ours, " + contender,
        MILLISECONDS,
        List.of(milliseconds),
        OptionalDouble.empty());
  }

  private static Map<String, Object> settings(Scale scale) {
    var settings = new LinkedHashMap<String, Object>();
    settings.put("jvmOptions", String.join(" ", ForkedJvm.OPTIONS));
    settings.put("records", scale.records);
    settings.put("bufferRecords", scale.bufferRecords);
    settings.put("jvms", scale.jvms);
    settings.put("warmUpFiles", scale.warmUps);
    settings.put("filesOfAJvm", scale.runs);
    settings.put("codec", "snappy");
    return settings;
  }
}
