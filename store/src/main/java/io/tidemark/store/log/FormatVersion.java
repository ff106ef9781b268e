package io.tidemark.store.log;

import com.fasterxml.jackson.databind.JsonNode;

/** Checks the version of a small JSON file; {@code docs/PROTOCOL.md} has the rules. */
public final class FormatVersion {
  private FormatVersion() {}

  /**
   * Rejects a version above the known one.
   *
   * @param place the file's URL, for messages
   * @throws IllegalArgumentException if there is no version: the file was damaged
   */
  public static void require(JsonNode file, int known, String place) throws CorruptLogException {
    JsonNode version = file.required("version");
    if (version.isInt() && version.intValue() <= known) {
      return;
    }
    throw new CorruptLogException(
        "%s has version %s, and this connector reads version %d. A newer version of the connector has written it. Deploy that version or a later one on every worker. If there is none, the file was damaged: restore it from a copy."
            .formatted(place, version, known));
  }
}
