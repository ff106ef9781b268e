package io.tidemark.registry.fingerprint;

import java.util.List;

/**
 * Which schemas are known by their fingerprints.
 *
 * @param subjects the subjects whose schemas are loaded; none when no fingerprint is looked up
 * @param refreshMs how long after the beginning of one load the next may begin, in ms
 */
public record FingerprintSettings(List<String> subjects, int refreshMs) {
  /** No subjects. */
  public static final FingerprintSettings NONE = new FingerprintSettings(List.of(), 1_000);

  public FingerprintSettings {
    subjects = List.copyOf(subjects);
    if (refreshMs < 0) {
      throw new IllegalArgumentException("refreshMs must be at least 0: " + refreshMs);
    }
  }
}
