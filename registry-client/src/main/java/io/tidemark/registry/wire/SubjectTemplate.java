package io.tidemark.registry.wire;

/**
 * How the subject of a topic's records is named.
 *
 * @param text with {@code ${topic}} where the topic's name goes. Example: {@code ${topic}-value}
 */
public record SubjectTemplate(String text) {
  /** A subject for each topic, of the same name. */
  public static final SubjectTemplate TOPIC = new SubjectTemplate("${topic}");

  private static final String PLACE = "${topic}";

  public SubjectTemplate {
    if (text.isBlank() || text.replace(PLACE, "").contains("${")) {
      throw new IllegalArgumentException(
          "\"" + text + "\" names no subject. Use text and ${topic}, as in ${topic}-value.");
    }
  }

  /** The subject of a topic's records. */
  public String subject(String topic) {
    return text.replace(PLACE, topic);
  }
}
