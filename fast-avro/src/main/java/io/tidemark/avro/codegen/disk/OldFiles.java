package io.tidemark.avro.codegen.disk;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Removes the files of a directory that are too many, by their last use, and those that a JVM left
 * half-written when it was killed. Files with other names are left alone. Safe for use by many
 * threads; what another JVM removes meanwhile is gone.
 *
 * @param maxFiles how many files stay, from 1
 */
record OldFiles(Path directory, int maxFiles) {
  /** How the names of files begin that are being written. */
  static final String TEMPORARY = "writing-";

  /** How long the writing of a file may take: nobody takes as long. */
  private static final Duration WRITING = Duration.ofHours(1);

  /** Such as {@code 9f86…0a08.plan}, with 64 digits. */
  private static final Pattern NAME = Pattern.compile("[0-9a-f]{64}\\.[a-z]+");

  /** A file, by when it was last used. */
  private record Used(Path file, long millis) {}

  OldFiles {
    if (maxFiles < 1) {
      throw new IllegalArgumentException("maxFiles must be at least 1, not " + maxFiles);
    }
  }

  /**
   * Removes what is too much.
   *
   * @param newest the name of a file that stays in any case
   */
  void remove(String newest) throws IOException {
    List<Used> others = new ArrayList<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
      for (Path file : files) {
        String name = String.valueOf(file.getFileName());
        if (name.startsWith(TEMPORARY)) {
          removeAbandoned(file);
        } else if (!name.equals(newest) && NAME.matcher(name).matches()) {
          addUsed(file, others);
        }
      }
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
    others.sort(Comparator.comparingLong(Used::millis));
    for (Used used : others.subList(0, Math.max(0, others.size() + 1 - maxFiles))) {
      Files.deleteIfExists(used.file());
    }
  }

  private static void removeAbandoned(Path temporary) throws IOException {
    var files = new ArrayList<Used>();
    addUsed(temporary, files);
    for (Used used : files) {
      if (used.millis() < System.currentTimeMillis() - WRITING.toMillis()) {
        Files.deleteIfExists(temporary);
      }
    }
  }

  private static void addUsed(Path file, List<Used> files) throws IOException {
    try {
      var attributes = Files.readAttributes(file, BasicFileAttributes.class);
      if (attributes.isRegularFile()) {
        files.add(new Used(file, attributes.lastModifiedTime().toMillis()));
      }
    } catch (NoSuchFileException e) {
      // Another JVM has removed it.
    }
  }
}
