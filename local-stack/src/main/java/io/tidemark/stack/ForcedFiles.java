package io.tidemark.stack;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The files that a server has forced to its disks, with {@code fsync} or {@code fdatasync}. {@code
 * strace} writes each such call into a file before the server gets its result. So what a server has
 * acknowledged after it was forced is in the file, also when the server is killed.
 *
 * @param trace the file, which also has the calls of earlier processes of the server
 */
public record ForcedFiles(Path trace) {

  private static final List<String> STRACE =
      List.of(
          "strace",
          "-D",
          "-f",
          "--seccomp-bpf",
          "-qq",
          "-y",
          "-e",
          "trace=fsync,fdatasync",
          "-e",
          "signal=none",
          "-A",
          "-o");

  /**
   * Examples: {@code 71 fsync(4</data/a>) = 0} and {@code 71 fsync(4</data/a> <unfinished ...>}.
   */
  private static final Pattern CALL =
      Pattern.compile(
          "(\\d+) +f(?:data)?sync\\(\\d+<([^>]+)>(?:\\) += (-?\\d+).*| <unfinished \\.\\.\\.>)");

  /** Example: {@code 71 <... fsync resumed>) = 0}. */
  private static final Pattern RESUMED =
      Pattern.compile("(\\d+) +<\\.\\.\\. f(?:data)?sync resumed>\\) += (-?\\d+).*");

  /** Examples: {@code blk_107} and {@code blk_107_1001.meta}, which has its checksums. */
  private static final Pattern BLOCK = Pattern.compile("(blk_\\d+)(?:_\\d+(\\.meta))?");

  /** Returns whether strace is installed and may trace. */
  public static boolean canBeRecorded() {
    try {
      return new ProcessBuilder("strace", "-f", "--seccomp-bpf", "-o", "/dev/null", "true")
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start()
              .waitFor()
          == 0;
    } catch (IOException e) {
      return false; // It is not installed.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** Returns a command that runs a server in the same process, and records its calls. */
  Command recording(Command server) {
    List<String> line = new ArrayList<>(STRACE);
    line.add(trace.toAbsolutePath().toString());
    line.addAll(server.commandLine());
    return new Command() {
      @Override
      public List<String> commandLine() {
        return List.copyOf(line);
      }

      @Override
      public Map<String, String> environment() {
        return server.environment();
      }

      @Override
      public String program() {
        return server.program();
      }
    };
  }

  /** Returns the forced files and directories, in the order of the ends of the calls. */
  public List<Path> inOrder() {
    List<Path> forced = new ArrayList<>();
    Map<String, Path> begun = new HashMap<>();
    try (Stream<String> lines = Files.lines(trace)) {
      for (String line : (Iterable<String>) lines::iterator) {
        Matcher call = CALL.matcher(line);
        Matcher resumed = RESUMED.matcher(line);
        if (call.matches()) {
          Path file = Path.of(call.group(2));
          if (call.group(3) == null) {
            begun.put(call.group(1), file);
          } else if (call.group(3).equals("0")) {
            forced.add(file);
          }
        } else if (resumed.matches()) {
          Path file = begun.remove(resumed.group(1));
          if (file != null && resumed.group(2).equals("0")) {
            forced.add(file);
          }
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(trace + " cannot be read", e);
    }
    return forced;
  }

  /**
   * Returns the files that a loss of power may take from a data node, although it has finished
   * them: those of blocks whose data, checksums or directory were not forced, in this order.
   *
   * @param finished the files of finished blocks, without symbolic links in their paths
   */
  List<Path> unforced(List<Path> finished) {
    Map<String, Integer> files = new HashMap<>();
    Map<Path, Integer> directories = new HashMap<>();
    List<Path> forced = inOrder();
    for (int i = 0; i < forced.size(); i++) {
      files.put(part(forced.get(i)), i);
      directories.put(forced.get(i), i);
    }
    return finished.stream()
        .filter(
            file -> {
              Integer content = files.get(part(file));
              Integer name = directories.get(file.getParent());
              return content == null || name == null || name < content;
            })
        .toList();
  }

  /** The generation of a block, a part of the name of its checksums, may have changed since. */
  private static String part(Path file) {
    String name = String.valueOf(file.getFileName());
    Matcher block = BLOCK.matcher(name);
    return block.matches() ? block.group(1) + (block.group(2) == null ? "" : ".meta") : name;
  }
}
