package io.tidemark.registry.wire;

import io.tidemark.registry.SchemaId;

/** The format of the schema ids of a topic's records. */
public enum IdFormat {
  /** Confluent's format, in a header or before the datum, see {@link WireFormat}. */
  CONFLUENT("confluent"),

  /** An id within the topic's subject, see {@link SubjectIdLayout#INT32}. */
  SUBJECT_INT32("subject-int32"),

  /** An id within the topic's subject, see {@link SubjectIdLayout#UINT16_TEXT}. */
  SUBJECT_UINT16_TEXT("subject-uint16-text"),

  /** An id within the topic's subject, see {@link SubjectIdLayout#VARINT_TEXT}. */
  SUBJECT_VARINT_TEXT("subject-varint-text"),

  /** Avro's single-object encoding, see {@link SingleObjectReader}. */
  SINGLE_OBJECT("single-object");

  private final String configName;

  IdFormat(String configName) {
    this.configName = configName;
  }

  /**
   * Returns the format of a name in the settings.
   *
   * @throws IllegalArgumentException if there is no such format
   */
  public static IdFormat parse(String name) {
    for (IdFormat format : values()) {
      if (format.configName.equals(name)) {
        return format;
      }
    }
    throw new IllegalArgumentException(
        "\""
            + name
            + "\" is not one of confluent, subject-int32, subject-uint16-text, subject-varint-text,"
            + " single-object.");
  }

  /** Returns whether ids are unique only within the subject of the record's topic. */
  public boolean ofSubject() {
    return this == SUBJECT_INT32 || this == SUBJECT_UINT16_TEXT || this == SUBJECT_VARINT_TEXT;
  }

  /**
   * Returns a reader of the ids of one topic.
   *
   * @param subject the topic's subject; only used if ids are unique only within a subject
   */
  public SchemaIdReader reader(String subject) {
    return switch (this) {
      case CONFLUENT -> new FramingReader();
      case SUBJECT_INT32 -> new SubjectFramingReader(subject, SubjectIdLayout.INT32);
      case SUBJECT_UINT16_TEXT -> new SubjectFramingReader(subject, SubjectIdLayout.UINT16_TEXT);
      case SUBJECT_VARINT_TEXT -> new SubjectFramingReader(subject, SubjectIdLayout.VARINT_TEXT);
      case SINGLE_OBJECT -> new SingleObjectReader();
    };
  }

  /**
   * Returns the bytes of an id, to write them before a datum.
   *
   * @throws IllegalArgumentException if the format does not fit the id
   */
  public byte[] bytesOf(SchemaId id) {
    if (id instanceof SchemaId.Fingerprint fingerprint && this == SINGLE_OBJECT) {
      return SingleObjectReader.bytesOf(fingerprint);
    }
    if (id instanceof SchemaId.OfSubject ofSubject && ofSubject()) {
      return switch (this) {
        case SUBJECT_UINT16_TEXT -> SubjectIdLayout.UINT16_TEXT.bytesOf(ofSubject.value());
        case SUBJECT_VARINT_TEXT -> SubjectIdLayout.VARINT_TEXT.bytesOf(ofSubject.value());
        default -> SubjectIdLayout.INT32.bytesOf(ofSubject.value());
      };
    }
    if (this == CONFLUENT) {
      return WireFormat.bytesOf(id);
    }
    throw new IllegalArgumentException(id + " cannot be written in the format " + this + ".");
  }

  /** Returns the name in the settings. */
  @Override
  public String toString() {
    return configName;
  }
}
