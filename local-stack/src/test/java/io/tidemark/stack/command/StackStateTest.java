package io.tidemark.stack.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class StackStateTest {

  private static final ProcessId THIS_JVM = ProcessId.of(ProcessHandle.current());

  @TempDir private Path directory;

  @Test
  void stateIsReadAsItWasWritten() {
    StackState state =
        new StackState(
            THIS_JVM,
            23_456,
            OptionalInt.of(5005),
            List.of(new Member("kafka", "localhost:23457", THIS_JVM)));
    Path file = directory.resolve("stack.json");
    state.write(file);
    assertThat(StackState.read(file)).contains(state);
    StackState starting = new StackState(THIS_JVM, 23_456, OptionalInt.empty(), List.of());
    starting.write(file);
    assertThat(StackState.read(file)).contains(starting);
  }

  @Test
  void missingFileIsNoState() {
    assertThat(StackState.read(directory.resolve("stack.json"))).isEmpty();
  }

  @Test
  void damagedFileIsNamedWithTheCure() throws IOException {
    Path file = Files.writeString(directory.resolve("stack.json"), "{\"members\": []}");
    assertThatThrownBy(() -> StackState.read(file))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining(file.toString())
        .hasMessageContaining("supervisor")
        .hasMessageContaining("delete it");
  }

  @Test
  void processWhoseIdBelongsToAnotherHasEnded() {
    assertThat(THIS_JVM.running()).contains(ProcessHandle.current());
    assertThat(new ProcessId(THIS_JVM.pid(), Instant.EPOCH).running()).isEmpty();
  }
}
