package io.tidemark.connect.storage.log;

import java.util.UUID;

/**
 * The entries of a {@link NumberedLog} as text.
 *
 * @param <E> the entries
 */
public interface EntryFormat<E> {

  /** An entry as it is stored. */
  byte[] write(E entry);

  /**
   * Reads an entry.
   *
   * @param place where the text stands, for messages
   * @throws CorruptLogException it is no entry, or one that this version cannot read
   */
  E read(byte[] text, String place) throws CorruptLogException;

  /** The identity of an entry: of one attempt to append it. */
  UUID attempt(E entry);
}
