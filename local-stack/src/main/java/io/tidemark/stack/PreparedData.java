package io.tidemark.stack;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * Data of a server that are equal in all stacks and take seconds to prepare. The first stack
 * prepares them; later ones copy them.
 *
 * @param kept the directory of the copy, which exists only if it is complete
 */
record PreparedData(Path kept) {

  /**
   * Makes the data of a stack.
   *
   * @param prepare creates the data in {@code directory}
   */
  void make(Path directory, Runnable prepare) {
    if (Files.isDirectory(kept)) {
      copy(kept, directory);
      return;
    }
    prepare.run();
    Path copy = kept.resolveSibling(kept.getFileName() + "." + UUID.randomUUID());
    copy(directory, copy);
    try {
      Files.move(copy, kept, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      if (!Files.isDirectory(kept)) {
        throw new UncheckedIOException(copy + " cannot be renamed to " + kept, e);
      }
      delete(copy); // Another stack was first.
    }
  }

  private static void delete(Path directory) {
    try (Stream<Path> all = Files.walk(directory)) {
      for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(each);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(directory + " cannot be deleted", e);
    }
  }

  /** Copies a directory with all that it contains. */
  static void copy(Path source, Path target) {
    try (Stream<Path> all = Files.walk(source)) {
      for (Path each : all.toList()) {
        Files.copy(each, target.resolve(source.relativize(each)));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(source + " cannot be copied to " + target, e);
    }
  }
}
