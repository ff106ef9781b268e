package io.tidemark.registry.wire;

import org.jspecify.annotations.Nullable;

/**
 * Reads the schema ids of a topic's records, one after the other. Not thread-safe.
 *
 * <p>Consecutive records usually have the same id. A reader therefore keeps the last result, and
 * returns it again without creating an object.
 */
public interface SchemaIdReader {

  /**
   * Reads the schema id of a record.
   *
   * @param header the last header with the name {@link WireFormat#VALUE_HEADER} (or {@link
   *     WireFormat#KEY_HEADER} for a key), or null if the record has none; only used in Confluent's
   *     format
   * @param value the whole value of the record
   * @throws UnframedDatumException if no id can be read: the record is invalid, or the configured
   *     format of ids is wrong
   */
  Framing read(byte @Nullable [] header, byte[] value) throws UnframedDatumException;
}
