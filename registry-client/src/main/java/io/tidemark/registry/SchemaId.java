package io.tidemark.registry;

import java.io.Serializable;
import java.util.HexFormat;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;

/**
 * What stands with a datum to name its writer schema. Each kind is resolved by one kind of
 * registry; one that is asked for a kind that it does not keep answers "not found".
 *
 * <ul>
 *   <li>{@link Int32} and {@link Guid}: Confluent's API;
 *   <li>{@link OfSubject}: the API of AVRO-1124;
 *   <li>{@link Fingerprint}: Avro's single-object encoding, over the schemas of known subjects;
 *   <li>{@link OfKeyAndValue}: none; it is two of the others.
 * </ul>
 *
 * <p>The text of an id reads in a message: {@code schema id 4711}.
 */
public sealed interface SchemaId extends Serializable {

  /** The id under which a registry of Confluent's API keeps a schema. */
  static SchemaId of(int value) {
    return new Int32(value);
  }

  /** The id alone, for lists: {@code 4711}; its kind follows from the format of the records. */
  String text();

  /**
   * Whether a registry gave the id. One that was wiped may give it again, to another schema; the
   * other ids follow from the schema itself.
   */
  default boolean isAssigned() {
    return this instanceof Int32 || this instanceof OfSubject;
  }

  /**
   * A number that a registry gave, unique within one of its contexts. Registries count from 1; any
   * other int can stand in front of a damaged record, and is then unknown.
   */
  record Int32(int value) implements SchemaId {
    @Override
    public String text() {
      return Integer.toString(value);
    }

    @Override
    public String toString() {
      return "schema id " + value;
    }
  }

  /** A name that follows from the schema itself, and is the same in every registry and context. */
  record Guid(UUID value) implements SchemaId {
    public Guid {
      Objects.requireNonNull(value, "value");
    }

    @Override
    public String text() {
      return value.toString();
    }

    @Override
    public String toString() {
      return "schema GUID " + value;
    }
  }

  /** An id that has a meaning within one subject alone; most registries count, some do not. */
  record OfSubject(String subject, String value) implements SchemaId {
    public OfSubject {
      Objects.requireNonNull(subject, "subject");
      Objects.requireNonNull(value, "value");
    }

    @Override
    public String text() {
      return value;
    }

    @Override
    public String toString() {
      // The value is as the record's producer wrote it.
      return "schema id " + Printable.of(value) + " of subject " + Printable.of(subject);
    }
  }

  /** The CRC-64-AVRO fingerprint of a schema's parsing canonical form. */
  record Fingerprint(long value) implements SchemaId {
    @Override
    public String text() {
      return HexFormat.of().toHexDigits(value);
    }

    @Override
    public String toString() {
      return "schema fingerprint " + text();
    }
  }

  /**
   * The ids of a record's key and value, where one row is made of both. No registry keeps it: it
   * stands for two questions.
   *
   * @param key empty where the key has no schema id, or there is no key
   * @param value empty where the record has no value
   */
  record OfKeyAndValue(Optional<SchemaId> key, Optional<SchemaId> value) implements SchemaId {

    /** Whether one of the two is an id. */
    public boolean has(SchemaId id) {
      return key.filter(id::equals).isPresent() || value.filter(id::equals).isPresent();
    }

    @Override
    public String text() {
      return value.map(SchemaId::text).orElse("") + "/" + key.map(SchemaId::text).orElse("");
    }

    @Override
    public String toString() {
      return value.map(SchemaId::toString).orElse("no value")
          + key.map(id -> " with " + id + " of the key").orElse("");
    }
  }
}
