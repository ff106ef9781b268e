package io.tidemark.stack.command;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The processes that a supervisor has started, in a file that the other commands read.
 *
 * <pre>{@code
 * {"supervisor": {"pid": 4711, "started": "2026-11-22T07:00:00Z"}, "statusPort": 23456, "debugPort": 5005,
 *  "members": [{"name": "kafka", "address": "localhost:23457", "pid": 4712, "started": "..."}]}
 * }</pre>
 *
 * @param supervisor the process that runs the stack
 * @param statusPort the supervisor's port for the status of its servers
 * @param debugPort the worker's port for a debugger
 * @param members the servers; empty while they start
 */
record StackState(
    ProcessId supervisor, int statusPort, OptionalInt debugPort, List<Member> members) {

  private static final ObjectMapper JSON = new ObjectMapper();

  StackState {
    members = List.copyOf(members);
  }

  StackState withMembers(List<Member> started) {
    return new StackState(supervisor, statusPort, debugPort, started);
  }

  /** Returns whether the supervisor or any server still runs. */
  boolean anyRuns() {
    return supervisor.running().isPresent()
        || members.stream().anyMatch(member -> member.process().running().isPresent());
  }

  /** Replaces the file atomically: a reader gets the old state or the new one. */
  void write(Path file) {
    ObjectNode json = JSON.createObjectNode();
    json.set("supervisor", put(JSON.createObjectNode(), supervisor));
    json.put("statusPort", statusPort);
    debugPort.ifPresent(port -> json.put("debugPort", port));
    ArrayNode array = json.putArray("members");
    for (Member member : members) {
      ObjectNode one = array.addObject().put("name", member.name());
      put(one.put("address", member.address()), member.process());
    }
    Path temporary = file.resolveSibling(file.getFileName() + ".new");
    try {
      Files.writeString(temporary, json.toPrettyString());
      Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw new UncheckedIOException(file + " cannot be written", e);
    }
  }

  private static ObjectNode put(ObjectNode json, ProcessId process) {
    return json.put("pid", process.pid()).put("started", process.started().toString());
  }

  /**
   * Reads the state from a file; empty if there is no file.
   *
   * @throws IllegalStateException if the file is not a state
   */
  static Optional<StackState> read(Path file) {
    try {
      JsonNode json = JSON.readTree(Files.readString(file));
      List<Member> members = new ArrayList<>();
      for (JsonNode member : json.required("members")) {
        members.add(
            new Member(
                member.required("name").asText(),
                member.required("address").asText(),
                process(member)));
      }
      JsonNode debugPort = json.path("debugPort");
      return Optional.of(
          new StackState(
              process(json.required("supervisor")),
              json.required("statusPort").intValue(),
              debugPort.isInt() ? OptionalInt.of(debugPort.intValue()) : OptionalInt.empty(),
              members));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } catch (IOException | RuntimeException e) {
      throw new IllegalStateException(
          "%s is not the state of a stack: %s. It is damaged, or another version wrote it. End the processes that it names, then delete it."
              .formatted(file, e.getMessage()),
          e);
    }
  }

  private static ProcessId process(JsonNode json) {
    return new ProcessId(
        json.required("pid").longValue(), Instant.parse(json.required("started").asText()));
  }
}
