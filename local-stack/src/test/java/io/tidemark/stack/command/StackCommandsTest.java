package io.tidemark.stack.command;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Status and down, with processes that only sleep. */
final class StackCommandsTest {

  @TempDir private Path directory;
  private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
  private final PrintStream out = new PrintStream(printed, true, UTF_8);
  private final StatusServer statusServer = new StatusServer();
  private final List<Process> processes = new ArrayList<>();
  private Path stateFile;

  @BeforeEach
  void nameTheFile() {
    stateFile = directory.resolve("stack.json");
  }

  @AfterEach
  void endProcesses() {
    statusServer.close();
    processes.forEach(Process::destroyForcibly);
  }

  @Test
  void nothingRunsWithoutAState() {
    assertThat(status()).isEqualTo(StatusCommand.DOWN);
    assertThat(down(Duration.ofSeconds(10))).isZero();
    assertThat(printed.toString(UTF_8)).contains("stack: down").contains("down already");
  }

  @Test
  void nothingRunsWhenAllProcessesOfTheStateHaveEnded() throws Exception {
    write(sleeping(), sleeping());
    for (Process process : processes) {
      process.destroyForcibly().waitFor();
    }
    assertThat(status()).isEqualTo(StatusCommand.DOWN);
  }

  @Test
  void stackWhoseServersAnswerIsUp() throws IOException {
    write(sleeping(), sleeping());
    statusServer.watch(Map.of("kafka", Optional::empty));
    assertThat(status()).isEqualTo(StatusCommand.UP);
    assertThat(printed.toString(UTF_8))
        .contains("stack: up")
        .containsPattern("kafka +" + processes.get(1).pid() + " +localhost:23457 +answers");
  }

  @Test
  void serverThatDoesNotAnswerIsNamedWithItsProblem() throws IOException {
    write(sleeping(), sleeping());
    statusServer.watch(Map.of("kafka", () -> Optional.of("nobody listens")));
    assertThat(status()).isEqualTo(StatusCommand.BROKEN);
    assertThat(printed.toString(UTF_8)).containsPattern("localhost:23457 +nobody listens");
  }

  @Test
  void serversWithoutTheirSupervisorAreLeftovers() throws Exception {
    write(sleeping(), sleeping());
    processes.get(0).destroyForcibly().waitFor();
    assertThat(status()).isEqualTo(StatusCommand.BROKEN);
    assertThat(printed.toString(UTF_8)).contains("left servers").contains("kafka");
  }

  @Test
  void downEndsTheSupervisorAndWhatItHasLeft() throws IOException {
    write(sleeping(), sleeping());
    assertThat(down(Duration.ofSeconds(10))).isZero();
    assertThat(processes).noneMatch(Process::isAlive);
    assertThat(stateFile).doesNotExist();
    assertThat(printed.toString(UTF_8)).contains("kills kafka").contains("stack: down");
  }

  @Test
  void downKillsASupervisorThatDoesNotEnd() throws IOException {
    Process stubborn = started("sh", "-c", "trap '' TERM; echo ready; while :; do sleep 1; done");
    assertThat(stubborn.inputReader().readLine()).isEqualTo("ready");
    write(stubborn, sleeping());
    assertThat(down(Duration.ofMillis(500))).isZero();
    assertThat(processes).noneMatch(Process::isAlive);
    assertThat(printed.toString(UTF_8)).contains("kills the supervisor");
  }

  private int status() {
    return new StatusCommand(stateFile, out).run();
  }

  private int down(Duration grace) {
    return new DownCommand(stateFile, grace, out).run();
  }

  private void write(Process supervisor, Process kafka) {
    new StackState(
            ProcessId.of(supervisor.toHandle()),
            statusServer.port(),
            OptionalInt.empty(),
            List.of(new Member("kafka", "localhost:23457", ProcessId.of(kafka.toHandle()))))
        .write(stateFile);
  }

  private Process sleeping() throws IOException {
    return started("sleep", "300");
  }

  private Process started(String... command) throws IOException {
    Process process = new ProcessBuilder(command).start();
    processes.add(process);
    return process;
  }
}
