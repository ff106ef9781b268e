package io.tidemark.stack;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The disks of HDFS's servers: what was forced to them, if that is recorded, and what a loss of
 * power takes from them.
 */
final class Disks {

  private final Path logs;
  private final boolean areRecorded;
  private final Map<String, ForcedFiles> forcedFiles = new HashMap<>();

  /**
   * @param logs the folder of the records
   * @param areRecorded whether they are recorded
   */
  Disks(Path logs, boolean areRecorded) {
    this.logs = logs;
    this.areRecorded = areRecorded;
  }

  /** Returns the command of a server, which records what the server forces if that is wanted. */
  Command recording(String server, Command command) {
    if (!areRecorded) {
      return command;
    }
    ForcedFiles forced = new ForcedFiles(logs.resolve(server + "-forced.log"));
    forcedFiles.put(server, forced);
    return forced.recording(command);
  }

  /** Returns what a server has forced to its disks. */
  ForcedFiles forcedFiles(String server) {
    ForcedFiles forced = forcedFiles.get(server);
    if (forced == null) {
      throw new IllegalStateException(
          "this stack does not record the forced files of " + server + ": recordForcedFiles()");
    }
    return forced;
  }

  /**
   * Deletes the blocks of a killed data node that a loss of power would take: those of files that
   * are not closed, and all that was not forced, if that is recorded. Returns the deleted files.
   */
  List<Path> losePower(String dataNode, Path blocks) {
    try {
      Path folder = blocks.toRealPath();
      List<Path> lost = new ArrayList<>(filesBelow(folder, "/rbw/"));
      if (areRecorded) {
        lost.addAll(forcedFiles(dataNode).unforced(filesBelow(folder, "/finalized/")));
      }
      for (Path file : lost) {
        Files.delete(file);
      }
      return lost;
    } catch (IOException e) {
      throw new UncheckedIOException("the blocks in " + blocks + " cannot be deleted", e);
    }
  }

  private static List<Path> filesBelow(Path folder, String part) throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      return all.filter(Files::isRegularFile)
          .filter(file -> file.toString().contains(part))
          .toList();
    }
  }
}
