package io.tidemark.store.log;

import io.tidemark.store.StoredFile;
import java.time.Instant;
import java.util.List;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The highest checkpoint, or 0, and when each entry above it was put, by the store's clock. */
public record LogListing(long checkpoint, SortedMap<Long, Instant> entries) {

  // 00000000000000000042.json
  static final Pattern ENTRY_NAME = Pattern.compile("(\\d{20})\\.json");
  // 00000000000000000042.checkpoint.json
  static final Pattern CHECKPOINT_NAME = Pattern.compile("(\\d{20})\\.checkpoint\\.json");
  // .00000000000000000042.0b1e7a52-6c0e-4e0f-9f5e-3d1c5a3f7b11.7c6e25d1-55b0-4f4e-8f6e-2f6a0d1b9c34.tmp
  // The UUIDs of the entry and of one try. Names are never reused: a rename may take effect late.
  static final Pattern TEMPORARY_NAME =
      Pattern.compile("\\.(\\d{20})(?:\\.[0-9a-f-]{36}){2}\\.tmp");

  static LogListing of(List<StoredFile> files) {
    SortedMap<Long, Instant> entries = new TreeMap<>();
    for (StoredFile file : files) {
      number(file, ENTRY_NAME)
          .ifPresent(number -> entries.put(number, Instant.ofEpochMilli(file.modifiedMs())));
    }
    long checkpoint = highest(files, CHECKPOINT_NAME);
    return new LogListing(checkpoint, entries.tailMap(checkpoint + 1));
  }

  static long highest(List<StoredFile> files, Pattern name) {
    return files.stream().flatMapToLong(file -> number(file, name).stream()).max().orElse(0);
  }

  static OptionalLong number(StoredFile file, Pattern name) {
    Matcher matcher = name.matcher(file.path().name());
    return matcher.matches()
        ? OptionalLong.of(Long.parseLong(matcher.group(1)))
        : OptionalLong.empty();
  }

  boolean isEmpty() {
    return checkpoint == 0 && entries.isEmpty();
  }

  /** Returns whether a file has a name of this form with a number up to {@code most}. */
  static boolean isUpTo(long most, StoredFile file, Pattern name) {
    return number(file, name).orElse(Long.MAX_VALUE) <= most;
  }

  /** Returns the number of the last entry, or of the checkpoint if no entry follows it. */
  long last() {
    return entries.isEmpty() ? checkpoint : entries.lastKey();
  }

  /** Returns whether a number above this one and the checkpoint, and below the last, is missing. */
  boolean hasGapAbove(long number) {
    long next = Math.max(number, checkpoint) + 1;
    for (long entry : entries.keySet()) {
      if (entry > number && entry != next++) {
        return true;
      }
    }
    return false;
  }

  /**
   * Returns whether the log has no entry after this number, and no checkpoint at this number or
   * after it. If so, the owner whose last entry has this number is not fenced.
   */
  boolean endsAt(long number) {
    return checkpoint < number && (entries.isEmpty() || last() <= number);
  }
}
