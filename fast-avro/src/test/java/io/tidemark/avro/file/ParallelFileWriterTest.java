package io.tidemark.avro.file;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.avro.Schema;
import org.junit.jupiter.api.Test;

final class ParallelFileWriterTest {
  private static final ContainerFileHeader HEADER =
      new ContainerFileHeader(
          Schema.create(Schema.Type.NULL),
          BlockCodec.of("null"),
          Map.of(),
          ContainerFileHeader.newSync());

  /** A stream that breaks when it has taken so many bytes. */
  private static final class BreakingStream extends OutputStream {
    private int left;
    private boolean closed;

    BreakingStream(int left) {
      this.left = left;
    }

    @Override
    public void write(int b) throws IOException {
      if (left-- == 0) {
        throw new IOException("disk full");
      }
    }

    @Override
    public void close() {
      closed = true;
    }
  }

  @Test
  void faultOfTheStreamReachesTheCallerAndBreaksTheFile() throws IOException {
    var stream = new BreakingStream(HEADER.encoded().length + 5);
    var writer = new ParallelFileWriter(stream, HEADER, 10, Runnable::run, 1);

    assertThatThrownBy(() -> appendForever(writer)).hasMessage("disk full");
    assertThatThrownBy(() -> writer.append(new byte[1], 0, 1))
        .hasMessage("the file is broken by an earlier fault");
    writer.close();
    assertThat(stream.closed).isTrue();
  }

  @Test
  void faultOfTheExecutorReachesTheCallerAndBreaksTheFile() throws IOException {
    var stream = new BreakingStream(Integer.MAX_VALUE);
    var writer =
        new ParallelFileWriter(
            stream,
            HEADER,
            10,
            task -> {
              throw new RejectedExecutionException("shut down");
            },
            1);

    assertThatThrownBy(() -> appendForever(writer)).isInstanceOf(RejectedExecutionException.class);
    assertThatThrownBy(() -> writer.append(new byte[1], 0, 1))
        .hasMessage("the file is broken by an earlier fault");
    writer.close();
    assertThat(stream.closed).isTrue();
  }

  @Test
  void closeThatFailsStillClosesTheStream() throws IOException {
    var stream = new BreakingStream(HEADER.encoded().length);
    var writer = new ParallelFileWriter(stream, HEADER, 10, Runnable::run, 1);
    writer.append(new byte[1], 0, 1);

    assertThatThrownBy(writer::close).hasMessage("disk full");
    assertThat(stream.closed).isTrue();
    writer.close();
  }

  @Test
  void noMoreChunksAreUnderWayThanAllowed() throws Exception {
    var pool = Executors.newFixedThreadPool(2);
    var underWay = new AtomicInteger();
    var most = new AtomicInteger();
    Executor counting =
        task -> {
          most.accumulateAndGet(underWay.incrementAndGet(), Math::max);
          pool.execute(
              () -> {
                task.run();
                underWay.decrementAndGet();
              });
        };
    var stream = new BreakingStream(Integer.MAX_VALUE);
    try (var writer = new ParallelFileWriter(stream, HEADER, 10, counting, 3)) {
      for (int i = 0; i < 10_000; i++) {
        writer.append(new byte[10], 0, 10);
      }
    } finally {
      pool.shutdown();
    }

    // A task counts itself as done a little after its result is there; the last, joined tail is one
    // more.
    assertThat(most.get()).isBetween(1, 3 + 2);
    assertThat(pool.awaitTermination(10, SECONDS)).isTrue();
  }

  private static void appendForever(ParallelFileWriter writer) throws IOException {
    while (true) {
      writer.append(new byte[1], 0, 1);
    }
  }
}
