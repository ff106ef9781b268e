package io.tidemark.connect.faults;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.stream.Stream;

/**
 * The results of a group of fault tests: a file in {@code target/faults}. {@link #main} adds up the
 * files of all groups.
 *
 * <p>Example: {@code target/faults/schedules.properties} with {@code tried=100000}, {@code lost=0},
 * {@code doubled=0}
 *
 * @param group what was tried: {@code crash-points}, {@code schedules} or {@code real-faults},
 *     {@code docker}; a group of several tests has a file for each, {@code real-faults-worker}
 * @param tried number of tries
 * @param lost records without a row
 * @param doubled records with several rows
 */
public record FaultCount(String group, long tried, long lost, long doubled) {
  private static final Path DIRECTORY = Path.of("target", "faults");
  private static final List<String> GROUPS = List.of("crash-points", "schedules", "real-faults");

  /** Writes the count to a file for the report. */
  public void report() {
    var count = new Properties();
    count.setProperty("tried", Long.toString(tried));
    count.setProperty("lost", Long.toString(lost));
    count.setProperty("doubled", Long.toString(doubled));
    write(group + ".properties", count);
    System.out.printf("%s: %d tried, %d lost, %d doubled%n", group, tried, lost, doubled);
  }

  /** Writes a file for the report. */
  static void write(String name, Properties count) {
    try {
      Files.createDirectories(DIRECTORY);
      try (var out = Files.newBufferedWriter(DIRECTORY.resolve(name), UTF_8)) {
        count.store(out, null);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Reads such a file. */
  static Properties read(Path file) throws IOException {
    var count = new Properties();
    try (Reader in = Files.newBufferedReader(file, UTF_8)) {
      count.load(in);
    }
    return count;
  }

  /**
   * Prints the line that sums up all groups: {@code faults: 2394 crash points, …}, or {@code
   * docker: 26 scenarios; …}. Without containers, if reckoners ran, it adds {@code completeness:
   * 812345 completions, 0 false, 0 missing}. Fails if a group tried nothing, a record was lost or
   * doubled, or a completion was false or missing.
   *
   * @param args the directory with the counts, and {@code docker} for the tests on containers,
   *     while the other groups may still run
   */
  public static void main(String[] args) throws IOException {
    List<String> groups = args.length > 1 ? List.of(args[1]) : GROUPS;
    List<Path> files;
    try (Stream<Path> found = Files.list(Path.of(args[0]))) {
      files = found.filter(file -> file.toString().endsWith(".properties")).sorted().toList();
    }
    long[] sums = new long[2];
    long[] tried = new long[3];
    Optional<CompletionCount> completions = Optional.empty();
    for (Path file : files) {
      String name = file.getFileName().toString();
      if (name.equals(CompletionCount.FILE_NAME) && groups.equals(GROUPS)) {
        completions = Optional.of(CompletionCount.read(file));
      }
      for (int i = 0; i < groups.size(); i++) {
        if (name.startsWith(groups.get(i))) {
          Properties count = read(file);
          tried[i] += Long.parseLong(count.getProperty("tried"));
          sums[0] += Long.parseLong(count.getProperty("lost"));
          sums[1] += Long.parseLong(count.getProperty("doubled"));
        }
      }
    }
    System.out.printf(
        "%s; %d lost, %d doubled%n",
        groups.equals(GROUPS)
            ? "faults: %d crash points, %d schedules, %d real faults"
                .formatted(tried[0], tried[1], tried[2])
            : "docker: %d scenarios".formatted(tried[0]),
        sums[0],
        sums[1]);
    completions.ifPresent(System.out::println);
    for (int i = 0; i < groups.size(); i++) {
      if (tried[i] == 0) {
        throw new IllegalStateException(
            args[0]
                + " counts no "
                + groups.get(i)
                + ": their tests were left out or renamed. Run all with mvn verify -P"
                + (groups.equals(GROUPS) ? "faults." : "docker."));
      }
    }
    if (sums[0] + sums[1] > 0) {
      throw new IllegalStateException(
          "records were lost or doubled: the files in " + args[0] + " say in which group");
    }
    if (completions.filter(count -> !count.good()).isPresent()) {
      throw new IllegalStateException(
          "something was said to be complete falsely, or not in time, or nothing was said at all: "
              + completions.get());
    }
  }
}
