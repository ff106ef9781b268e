package io.tidemark.benchmarks.run;

import io.tidemark.benchmarks.contenders.Work;
import io.tidemark.benchmarks.records.ReferenceRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.openjdk.jmh.runner.RunnerException;

/**
 * Compares fast-avro and registry-client with other libraries and with upper limits. {@code
 * benchmarks/run} starts it.
 */
public final class BenchmarkRun {
  private BenchmarkRun() {}

  /**
   * Runs the cells, prints the tables and writes the result files.
   *
   * @param arguments the module's directory, then the options that {@code benchmarks/run --help}
   *     lists
   */
  public static void main(String[] arguments)
      throws IOException, RunnerException, InterruptedException {
    Path module = Path.of(arguments[0]);
    RunOptions options;
    try {
      options = RunOptions.parse(Arrays.asList(arguments).subList(1, arguments.length), module);
    } catch (IllegalArgumentException e) {
      System.err.println("benchmarks: " + e.getMessage());
      System.exit(2);
      return;
    }
    Predicate<String> wanted = Pattern.compile(options.only()).asPredicate();
    List<Cell> cells =
        (options.quick() ? CellList.quick() : CellList.full())
            .stream().filter(cell -> wanted.test(cell.toString())).toList();
    List<LookupCell> lookupCells =
        LookupCell.all().stream().filter(cell -> wanted.test(cell.toString())).toList();
    Predicate<String> wantedWide = wanted.and(name -> !options.quick());
    boolean anyWide =
        ReferenceRecord.wide().stream().map(ReferenceRecord::name).anyMatch(wantedWide);
    if (cells.isEmpty() && lookupCells.isEmpty() && !anyWide) {
      System.err.println("benchmarks: no cell has \"" + options.only() + '"');
      System.exit(2);
    }
    Map<String, Object> machine = Machine.describe(module);
    Path temporary = Files.createDirectories(module.resolve("target/forks").toAbsolutePath());
    List<Measurement> measurements = new Rounds(options, temporary).measure(cells);
    List<LookupMeasurement> lookups =
        new LookupRounds(temporary).measure(lookupCells, options.quick() ? 1 : options.rounds());
    List<Target> targets = new ArrayList<>(Target.of(measurements));
    targets.addAll(Target.ofLookups(lookups));
    targets.addAll(WideForks.measure(wantedWide));
    if (options.only().isEmpty()) {
      targets.addAll(CompilationForks.measure(options.rounds()));
    }

    ResultTable.print(measurements, System.out);
    ResultTable.printLookups(lookups, System.out);
    System.out.printf("%nTargets%n");
    targets.forEach(target -> System.out.println("  " + target));
    machine.put("jvmOptions", String.join(" ", Rounds.JVM_OPTIONS));
    machine.put("warmUpMs", options.warmups() * options.warmup().toMillis());
    machine.put("measuredMs", options.iterations() * options.iteration().toMillis());
    var files = new ResultFiles(options.results());
    files.writeMeasurements(measurements, lookups);
    files.writeTargets(targets);
    files.writeMachine(machine);
    for (var plot : plots(measurements).entrySet()) {
      files.writePlot(plot.getKey(), plot.getValue().svg());
    }
    System.out.printf("%nWritten to %s%n", options.results());
  }

  /**
   * Returns a plot for each work, codec and number of threads, with a group of bars for each
   * record.
   */
  private static Map<String, BarChart> plots(List<Measurement> measurements) {
    var plots = new LinkedHashMap<String, BarChart>();
    var records = new LinkedHashMap<String, String>();
    for (Measurement each : measurements) {
      Cell cell = each.cell();
      if (cell.threads() > 1) {
        continue;
      }
      String name =
          cell.work() == Work.CHECK_COPY || cell.codec().equals("null")
              ? cell.work().label()
              : cell.work().label() + '-' + cell.codec();
      BarChart chart =
          plots.computeIfAbsent(
              name,
              key ->
                  new BarChart(
                      title(cell), "ns a record on one thread, less is better", Axis.LOGARITHMIC));
      String heading = "%s, %.0f bytes".formatted(cell.record(), each.bytesPerRecord());
      if (!heading.equals(records.put(name, heading))) {
        chart.group(heading);
      }
      chart.bar(cell.contender().label(), each.nsPerRecord());
    }
    return plots;
  }

  private static String title(Cell cell) {
    return switch (cell.work()) {
      case CHECK_COPY -> "Avro datums checked and copied into blocks";
      case FILE -> "Avro datums into a container file, codec " + cell.codec();
      case ONE_FILE -> "Avro datums into one file by a parallel writer, codec " + cell.codec();
      case REWRITE -> "Avro datums rewritten in another schema, codec " + cell.codec();
      case DECODE -> "Avro datums into objects";
      case ENCODE -> "Objects into Avro datums";
    };
  }
}
