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
 * Removes files of a directory: the least recently used ones if there are too many, and unfinished
 * ones of a JVM that was killed. Files with other names are ignored. Safe for use by many threads,
 * while other JVMs remove files too.
 *
 * @param maxFiles the maximum number of files, from 1
 */
record OldFiles(Path directory, int maxFiles) {
  /** The start of the names of files that are being written. */
  static final String TEMPORARY = "writing-";

  /** The age from which an unfinished file is removed: no writing takes as long. */
  private static final Duration WRITING = Duration.ofHours(1);

  /** The names of class files, such as {@code 9f86…0a08.plan}, with 64 digits. */
  private static final Pattern NAME = Pattern.compile("[0-9a-f]{64}\\.[a-z]+");

  /** A file, with its last use. */
  private record Used(Path file, long millis) {}

  OldFiles {
    if (maxFiles < 1) {
      throw new IllegalArgumentException("maxFiles must be at least 1, not " + maxFiles);
    }
  }

  /**
   * Removes surplus files.
   *
   * @param newest the name of a file that is always kept
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
      // Another JVM has removed the file.
    }
  }
}
