package io.tidemark.benchmarks.landing;

import io.tidemark.stack.LocalStack;
import io.tidemark.stack.SecurityOptions;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;

/** A sink with a workload and the services on which it lands, and the results of its rounds. */
final class Trial {
  private static final String CONTROL_TOPIC = "${control.topic}";
  private static final String METASTORE = "${hive.metastore.uris}";

  private final QuoteTopics topics;
  private final SinkUnderTest sink;
  private final LocalStack stack;
  private final Watch watch;
  private final List<Round> rounds = new ArrayList<>();
  private final List<TaskStart> starts = new ArrayList<>();

  /** The last round, also if it was not counted. */
  private Optional<Round> last = Optional.empty();

  /** The trial whose number and size of files this one imitates. */
  private Optional<Trial> model = Optional.empty();

  /**
   * What is measured besides rates, CPU time and memory.
   *
   * @param files whether files and calls of the name node are counted
   * @param starts whether Tidemark is started once more after a round, with the logs of that round
   * @param threads whether the CPU time of each thread is read
   */
  record Watch(boolean files, boolean starts, boolean threads) {}

  Trial(QuoteTopics topics, SinkUnderTest sink, LocalStack stack, Watch watch) {
    this.topics = topics;
    this.sink = sink;
    this.stack = stack;
    this.watch = watch;
  }

  /** Makes {@code raw-copy} write as many files as the last round of another trial. */
  void imitate(Trial other) {
    model = Optional.of(other);
  }

  String sinkName() {
    return sink.name();
  }

  Workload workload() {
    return topics.workload();
  }

  int bytesPerRecord() {
    return topics.bytesPerRecord();
  }

  List<Round> rounds() {
    return List.copyOf(rounds);
  }

  List<TaskStart> starts() {
    return List.copyOf(starts);
  }

  double median(ToDoubleFunction<Round> figure) {
    return median(rounds.stream().mapToDouble(figure));
  }

  /** Returns the median, of at least one value. */
  static double median(DoubleStream values) {
    double[] sorted = values.sorted().toArray();
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }

  /** Returns the records a second from the first record read to the commit of the last. */
  double landedPerSecond() {
    return median(round -> round.landedPerSecond(workload().records()));
  }

  /**
   * Runs the sink once and removes its files.
   *
   * @param counts whether the medians include the round
   */
  Round run(int number, boolean counts)
      throws IOException, InterruptedException, ExecutionException {
    String run = (workload().name() + '_' + sink.name() + '_' + number).replace('-', '_');
    Map<String, String> settings =
        new LinkedHashMap<>(sink.settings(replacements(stack, topics, sink, run)));
    model
        .flatMap(other -> other.last)
        .ifPresent(
            round ->
                settings.putAll(
                    SameFiles.settings(workload(), topics.consecutive(), round.files().batches())));
    // In a secured HDFS only the superuser may create it.
    stack.hdfs().files().makeDirectories("/" + run);
    stack.hdfs().files().setOwner("/" + run, SecurityOptions.CONNECT);
    Optional<NameNodeWork> nameNode =
        watch.files() ? Optional.of(new NameNodeWork(stack.hdfs().webUrl())) : Optional.empty();
    Round round =
        new SinkRun(stack, run, workload().records(), bytesPerRecord(), nameNode, watch.threads())
            .follow(settings);
    last = Optional.of(round);
    if (counts) {
      rounds.add(round);
      if (watch.starts() && nameNode.isPresent() && round.files().batches() > 0) {
        starts.add(
            TaskStart.measure(
                stack, nameNode.get(), run, settings, workload().allTopicPartitions()));
      }
    }
    stack.hdfs().files().delete("/" + run);
    return round;
  }

  /** Returns the values of the placeholders in a sink's settings for a run. */
  static Map<String, String> replacements(
      LocalStack stack, QuoteTopics topics, SinkUnderTest sink, String run)
      throws InterruptedException, ExecutionException {
    Workload workload = topics.workload();
    var replacements = new LinkedHashMap<String, String>();
    replacements.put("bootstrap.servers", stack.kafka().bootstrapServers());
    replacements.put("schema.registry.url", stack.registry().url());
    replacements.put("store.url", stack.hdfs().uri().toString());
    replacements.put("tasks", Integer.toString(workload.tasks()));
    // The connector has its own placeholder ${topic}, which must be replaced after this one.
    replacements.put("topic", String.join(",", workload.topicNames()));
    replacements.put("table", workload.topics() == 1 ? run : run + "_${topic}");
    replacements.put("schema", topics.schema());
    replacements.put("run", run);
    if (sink.mentions(METASTORE)) {
      replacements.put("hive.metastore.uris", stack.metastore().uris());
    }
    if (sink.mentions(CONTROL_TOPIC)) {
      String control = "control_" + run;
      try (Admin admin = stack.kafka().admin()) {
        admin.createTopics(Set.of(new NewTopic(control, 1, (short) 1))).all().get();
      }
      replacements.put("control.topic", control);
    }
    return replacements;
  }

  static boolean needsMetastore(List<SinkUnderTest> sinks) {
    return sinks.stream().anyMatch(sink -> sink.mentions(METASTORE));
  }
}
