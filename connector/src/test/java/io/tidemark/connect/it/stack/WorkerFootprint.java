package io.tidemark.connect.it.stack;

import io.tidemark.stack.ConnectWorker;
import io.tidemark.stack.ProcessBeans;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The resources of the workers at a moment: threads, open files and connections, MBeans, and the
 * objects that a full collection leaves of each class of Tidemark, Hadoop, Thrift and Kafka's
 * clients.
 */
public record WorkerFootprint(Map<String, Long> counts) {

  private static final List<String> PACKAGES =
      List.of(
          "io.tidemark.",
          "org.apache.hadoop.",
          "org.apache.thrift.",
          "org.apache.kafka.clients.",
          "org.apache.kafka.connect.");

  public WorkerFootprint {
    counts = Map.copyOf(counts);
  }

  public static WorkerFootprint of(RealStack stack) {
    Map<String, Long> counts = new TreeMap<>();
    for (ConnectWorker worker : stack.services().connect().workers()) {
      try (ProcessBeans beans = worker.process().beans()) {
        beans
            .liveObjects()
            .forEach(
                (type, objects) -> {
                  if (PACKAGES.stream().anyMatch(type::startsWith)) {
                    counts.merge("objects of " + type, objects, Long::sum);
                  }
                });
        counts.merge("threads", (long) beans.threads().size(), Long::sum);
        counts.merge("MBeans", (long) beans.names("*:*").size(), Long::sum);
        for (double open :
            beans.read("java.lang:type=OperatingSystem", "OpenFileDescriptorCount")) {
          counts.merge("open files and connections", (long) open, Long::sum);
        }
      } catch (IOException e) {
        throw new UncheckedIOException(worker.process().toString(), e);
      }
    }
    return new WorkerFootprint(counts);
  }

  /**
   * The threads and MBeans of a connector's tasks and of their clients. Connect keeps a thread and
   * MBeans for the connector itself, and the connector keeps its ledger, and settles the logs that
   * no task reads.
   */
  public static List<String> ofTasks(RealStack stack, String connector) {
    List<String> found = new ArrayList<>();
    for (ConnectWorker worker : stack.services().connect().workers()) {
      try (ProcessBeans beans = worker.process().beans()) {
        Stream.concat(beans.threads().stream(), beans.names("*:*").stream())
            .filter(name -> name.contains(connector))
            .filter(name -> !name.equals("connector-thread-" + connector))
            .filter(name -> !name.startsWith("kafka.connect:"))
            .filter(name -> !name.contains("ledger") && !name.contains("completeness-metrics"))
            .filter(name -> !name.contains("settling"))
            .forEach(found::add);
      } catch (IOException e) {
        throw new UncheckedIOException(worker.process().toString(), e);
      }
    }
    return found;
  }

  /** The numbers that have grown by at least this since before. */
  public List<String> grownBy(long least, WorkerFootprint before) {
    List<String> grown = new ArrayList<>();
    new TreeMap<>(counts)
        .forEach(
            (what, now) -> {
              long then = before.counts.getOrDefault(what, 0L);
              if (now - then >= least) {
                grown.add(what + ": " + then + ", then " + now);
              }
            });
    return grown;
  }
}
