package io.tidemark.registry.wire;

/**
 * The rule for the subject of a topic's records.
 *
 * @param text the subject, with {@code ${topic}} for the topic's name. Example: {@code
 *     ${topic}-value}
 */
public record SubjectTemplate(String text) {
  /** The rule that the subject has the topic's name. */
  public static final SubjectTemplate TOPIC = new SubjectTemplate("${topic}");

  private static final String PLACE = "${topic}";

  public SubjectTemplate {
    if (text.isBlank() || text.replace(PLACE, "").contains("${")) {
      throw new IllegalArgumentException(
          "\"" + text + "\" is not a subject. Use text and ${topic}, as in ${topic}-value.");
    }
  }

  /** Returns the subject of a topic's records. */
  public String subject(String topic) {
    return text.replace(PLACE, topic);
  }
}
