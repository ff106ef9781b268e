package io.tidemark.registry.fingerprint;

import java.util.List;

/**
 * The schemas that are looked up by fingerprint.
 *
 * @param subjects the subjects whose schemas are loaded; empty if no fingerprint is looked up
 * @param refreshMs the minimum time from the start of one load to the start of the next, in ms
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
