package io.tidemark.stack.command;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * {@code ./stack status}: prints each server with its process, its address and whether it answers.
 */
final class StatusCommand {

  /** All servers answer. */
  static final int UP = 0;

  /** Something runs, but not all servers answer. */
  static final int BROKEN = 1;

  /** Nothing runs. */
  static final int DOWN = 3;

  private final Path stateFile;
  private final PrintStream out;

  StatusCommand(Path stateFile, PrintStream out) {
    this.stateFile = stateFile;
    this.out = out;
  }

  /** Prints the status and returns {@link #UP}, {@link #BROKEN} or {@link #DOWN}. */
  int run() {
    Optional<StackState> found = StackState.read(stateFile);
    if (found.isEmpty() || !found.get().anyRuns()) {
      out.println("stack: down. ./stack up starts it.");
      return DOWN;
    }
    StackState state = found.get();
    if (state.supervisor().running().isEmpty()) {
      out.println("stack: its supervisor has ended and left servers. ./stack down ends them.");
      print(state, Map.of());
      return BROKEN;
    }
    if (state.members().isEmpty()) {
      out.printf("stack: starting, supervisor pid %d%n", state.supervisor().pid());
      return BROKEN;
    }
    return report(state);
  }

  private int report(StackState state) {
    Map<String, String> problems;
    try {
      problems = ask(state.statusPort());
    } catch (IOException e) {
      out.printf(
          "stack: supervisor pid %d does not answer: %s. ./stack down ends everything.%n",
          state.supervisor().pid(), e);
      print(state, Map.of());
      return BROKEN;
    }
    boolean up =
        state.members().stream().allMatch(member -> "".equals(problems.get(member.name())));
    out.printf(
        "stack: %s, supervisor pid %d%n",
        up ? "up" : "not all servers answer", state.supervisor().pid());
    print(state, problems);
    state
        .debugPort()
        .ifPresent(port -> out.printf("  %-14s %8s  127.0.0.1:%d%n", "debugger", "", port));
    return up ? UP : BROKEN;
  }

  private void print(StackState state, Map<String, String> problems) {
    for (Member member : state.members()) {
      String problem =
          member.process().running().isEmpty()
              ? "its process has ended"
              : problems.getOrDefault(member.name(), "its process runs; not checked");
      out.printf(
          "  %-14s %8d  %-45s %s%n",
          member.name(),
          member.process().pid(),
          member.address(),
          problem.isEmpty() ? "answers" : problem);
    }
  }

  private static Map<String, String> ask(int port) throws IOException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://localhost:" + port + "/status"))
            .timeout(Duration.ofSeconds(2L * StatusServer.ANSWER_SECONDS))
            .build();
    try {
      HttpResponse<String> response =
          HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
      return new ObjectMapper().readValue(response.body(), new TypeReference<>() {});
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while the supervisor was asked", e);
    }
  }
}
