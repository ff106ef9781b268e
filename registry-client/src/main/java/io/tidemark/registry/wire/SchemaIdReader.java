package io.tidemark.registry.wire;

import org.jspecify.annotations.Nullable;

/**
 * Reads the schema id of one record of a topic after the other. For one thread.
 *
 * <p>It remembers the last id, as neighbours mostly have the same: then nothing is allocated.
 */
public interface SchemaIdReader {

  /**
   * The framing of a record.
   *
   * @param header the last header of the name {@link WireFormat#VALUE_HEADER} (or {@link
   *     WireFormat#KEY_HEADER} for a key), or null when the record has none; only Confluent's
   *     format has a meaning for it
   * @param value the whole value of the record
   * @throws UnframedDatumException when no id can be read: the record's fault
   */
  Framing read(byte @Nullable [] header, byte[] value) throws UnframedDatumException;
}
