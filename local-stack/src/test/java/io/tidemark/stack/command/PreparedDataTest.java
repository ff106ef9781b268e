package io.tidemark.stack;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class PreparedDataTest {
  @TempDir private Path directory;

  private void prepare(Path data) {
    try {
      Files.createDirectories(data.resolve("seg0"));
      Files.writeString(data.resolve("seg0").resolve("c10.dat"), "schema");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void dataArePreparedOnceAndCopiedAfterwards() throws IOException {
    PreparedData prepared = new PreparedData(directory.resolve("kept"));
    AtomicInteger times = new AtomicInteger();
    for (String stack : List.of("first", "second", "third")) {
      Path data = directory.resolve(stack);
      prepared.make(
          data,
          () -> {
            times.incrementAndGet();
            prepare(data);
          });
      assertThat(data.resolve("seg0/c10.dat")).hasContent("schema");
      Files.writeString(data.resolve("seg0/c10.dat"), "changed by " + stack);
    }
    assertThat(times).hasValue(1);
  }

  @Test
  void stacksThatPrepareAtTheSameTimeKeepOneCopy() throws Exception {
    PreparedData prepared = new PreparedData(directory.resolve("kept"));
    CountDownLatch both = new CountDownLatch(2);
    ExecutorService stacks = Executors.newFixedThreadPool(2);
    try {
      List<Future<?>> made =
          Stream.of("a", "b")
              .<Future<?>>map(
                  stack ->
                      stacks.submit(
                          () ->
                              prepared.make(
                                  directory.resolve(stack),
                                  () -> {
                                    both.countDown();
                                    awaitBoth(both);
                                    prepare(directory.resolve(stack));
                                  })))
              .toList();
      for (Future<?> each : made) {
        each.get();
      }
    } finally {
      stacks.shutdown();
    }
    try (Stream<Path> left = Files.list(directory)) {
      assertThat(left.map(each -> each.getFileName().toString()))
          .containsExactlyInAnyOrder("a", "b", "kept");
    }
    assertThat(directory.resolve("kept/seg0/c10.dat")).hasContent("schema");
  }

  private static void awaitBoth(CountDownLatch both) {
    try {
      both.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
