package io.tidemark.benchmarks.landing;

import io.tidemark.stack.LocalStack;
import io.tidemark.stack.SecurityOptions;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.function.ToDoubleFunction;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;

/** A sink with a workload and the services on which it lands, and the results of its rounds. */
final class Trial {
  private static final String CONTROL_TOPIC = "${control.topic}";
  private static final String METASTORE = "${hive.metastore.uris}";

  private final QuoteTopics topics;
  private final SinkUnderTest sink;
  private final LocalStack stack;
  private final List<Round> rounds = new ArrayList<>();

  Trial(QuoteTopics topics, SinkUnderTest sink, LocalStack stack) {
    this.topics = topics;
    this.sink = sink;
    this.stack = stack;
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

  double median(ToDoubleFunction<Round> figure) {
    double[] sorted = rounds.stream().mapToDouble(figure).sorted().toArray();
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
    Map<String, String> settings = sink.settings(replacements(run));
    // In a secured HDFS only the superuser may create it.
    stack.hdfs().files().makeDirectories("/" + run);
    stack.hdfs().files().setOwner("/" + run, SecurityOptions.CONNECT);
    Round round = new SinkRun(stack, run, workload().records(), bytesPerRecord()).follow(settings);
    if (counts) {
      rounds.add(round);
    }
    stack.hdfs().files().delete("/" + run);
    return round;
  }

  private Map<String, String> replacements(String run)
      throws InterruptedException, ExecutionException {
    var replacements = new LinkedHashMap<String, String>();
    replacements.put("bootstrap.servers", stack.kafka().bootstrapServers());
    replacements.put("schema.registry.url", stack.registry().url());
    replacements.put("store.url", stack.hdfs().uri().toString());
    replacements.put("tasks", Integer.toString(workload().tasks()));
    // The connector has its own placeholder ${topic}, which must be replaced after this one.
    replacements.put("topic", String.join(",", workload().topicNames()));
    replacements.put("table", workload().topics() == 1 ? run : run + "_${topic}");
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
