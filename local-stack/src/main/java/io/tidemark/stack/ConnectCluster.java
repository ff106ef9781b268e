package io.tidemark.stack;

import java.util.List;
import java.util.stream.IntStream;

/** The Connect workers of a stack: one group, in distributed mode. */
public final class ConnectCluster extends StackService {

  private final List<ConnectWorker> workers;

  ConnectCluster(
      InstalledServers servers,
      StackFiles files,
      Watchdog watchdog,
      KafkaCluster kafka,
      ConnectSettings settings) {
    workers =
        IntStream.rangeClosed(1, settings.workers())
            .mapToObj(
                number ->
                    new ConnectWorker(
                        "connect-" + number, servers, files, watchdog, kafka, settings))
            .toList();
  }

  /** Starts all workers at once, so that they form their group in one rebalance. */
  @Override
  void start() {
    workers.forEach(worker -> worker.process().launch());
    workers.forEach(worker -> worker.process().awaitReady());
  }

  @Override
  List<ServerProcess> processes() {
    return workers.stream().map(ConnectWorker::process).toList();
  }

  public List<ConnectWorker> workers() {
    return workers;
  }

  /** Returns a worker by its index, from 0. */
  public ConnectWorker worker(int index) {
    return workers.get(index);
  }

  /** Returns a client of the first worker that is alive. */
  public ConnectClient client() {
    return workers.stream()
        .filter(worker -> worker.process().isAlive())
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("no Connect worker is alive"))
        .client();
  }
}
