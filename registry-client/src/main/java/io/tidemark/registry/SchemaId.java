package io.tidemark.registry;

import java.io.Serializable;
import java.util.HexFormat;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;

/**
 * Identifies the writer schema of a datum. Each registry supports only the kinds of ids of its own
 * API, and fingerprints if they are configured. The lookup of another kind throws a {@link
 * SchemaNotFoundException}.
 *
 * <ul>
 *   <li>{@link Int32} and {@link Guid}: Confluent's API;
 *   <li>{@link OfSubject}: the API of AVRO-1124;
 *   <li>{@link Fingerprint}: Avro's single-object encoding, with the schemas of configured
 *       subjects, in registries of both APIs;
 *   <li>{@link OfKeyAndValue}: a pair of ids, for the Tidemark connector. Other programs do not
 *       need it: no registry can look it up, and this library never returns it.
 * </ul>
 *
 * <p>{@code toString()} is written for messages: {@code schema id 4711}.
 */
public sealed interface SchemaId extends Serializable {

  /** Returns the id of a schema in a registry of Confluent's API. */
  static SchemaId of(int value) {
    return new Int32(value);
  }

  /** Returns the id without its kind, for lists of one kind of ids: {@code 4711}. */
  String text();

  /**
   * Returns whether a registry assigned the id. A registry that was wiped may assign it again, to
   * another schema. Other ids are computed from the schema.
   */
  default boolean isAssigned() {
    return this instanceof Int32 || this instanceof OfSubject;
  }

  /**
   * A number that a registry assigned, unique within one of its contexts. Registries count from 1.
   * Any int is allowed here, also 0 and negative ones: a damaged record can begin with any bytes.
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

  /**
   * A 128-bit id that is computed from the schema. It is the same in every registry and context.
   */
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

  /** An id that is unique only within a subject, usually a number. */
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
      // The value is text that the record's producer wrote.
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
   * The ids of a record's key and value, for the Tidemark connector, which can write both into one
   * row. No registry can look up such a pair.
   *
   * @param key empty if the key has no schema id, or there is no key
   * @param value empty if the record has no value
   */
  record OfKeyAndValue(Optional<SchemaId> key, Optional<SchemaId> value) implements SchemaId {

    /** Returns whether one of the two is the given id. */
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
