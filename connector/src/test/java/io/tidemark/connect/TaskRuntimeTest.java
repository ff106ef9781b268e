package io.tidemark.connect;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.connect.config.ConnectorConfig;
import io.tidemark.connect.intake.ConsumerControl;
import io.tidemark.store.TopicPartition;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The life of a task whose services accept connections and never answer. */
final class TaskRuntimeTest {
  private static final long HANGING_S = 30;
  private static final Executor NEW_THREAD = work -> new Thread(work, "test").start();

  @Test
  void taskStopsThoughNoServiceAnswers() throws Exception {
    try (var silence = new Silence()) {
      String host = "localhost:" + silence.port();
      TaskRuntime runtime =
          TaskRuntime.start(
              new ConnectorConfig(
                  Map.of(
                      "name",
                      "quotes",
                      "topics",
                      "quotes",
                      "kafka.bootstrap.servers",
                      host,
                      "schema.registry.url",
                      "http://" + host,
                      "store.url",
                      "hdfs://" + host,
                      "hive.integration",
                      "true",
                      "hive.metastore.uris",
                      "thrift://" + host,
                      "shutdown.timeout.ms",
                      "200")),
              new Consumer(),
              Optional.empty());
      List<TopicPartition> topicPartitions =
          List.of(new TopicPartition("quotes", 0), new TopicPartition("quotes", 1));
      runtime.pipeline().open(topicPartitions);
      silence.awaitCall();
      runtime.pipeline().endOfPut();
      assertThat(runtime.pipeline().load().pausedTopicPartitions()).isEqualTo(2);

      CompletableFuture<Void> stopping =
          CompletableFuture.runAsync(
              () -> {
                runtime.pipeline().close(topicPartitions);
                runtime.close();
              },
              NEW_THREAD);
      // A call of the store would delay it by a minute.
      stopping.get(HANGING_S, TimeUnit.SECONDS);
    }
  }

  /** A server that accepts connections and does not read. */
  private static final class Silence implements AutoCloseable {
    private final ServerSocket server;
    private final CountDownLatch called = new CountDownLatch(1);
    private final ConcurrentLinkedQueue<Socket> connections = new ConcurrentLinkedQueue<>();

    Silence() throws IOException {
      server = new ServerSocket(0, 50, InetAddress.getByName("localhost"));
      NEW_THREAD.execute(this::accept);
    }

    int port() {
      return server.getLocalPort();
    }

    void awaitCall() throws InterruptedException {
      assertThat(called.await(HANGING_S, TimeUnit.SECONDS)).isTrue();
    }

    private void accept() {
      try {
        while (true) {
          connections.add(server.accept());
          called.countDown();
        }
      } catch (IOException e) {
        // The server is closed.
        called.countDown();
      }
    }

    @Override
    public void close() throws IOException {
      server.close();
      for (Socket connection : connections) {
        connection.close();
      }
    }
  }

  private record Consumer() implements ConsumerControl {
    @Override
    public void pause(Collection<TopicPartition> topicPartitions) {}

    @Override
    public void resume(Collection<TopicPartition> topicPartitions) {}

    @Override
    public void seek(TopicPartition topicPartition, long offset) {}

    @Override
    public void callAgainWithin(long ms) {}

    @Override
    public void requestCommit() {}
  }
}
