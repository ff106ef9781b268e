package io.tidemark.store.log;

import java.util.UUID;

/**
 * Reads and writes the entries of a {@link NumberedLog} as text.
 *
 * @param <E> type of the entries
 */
public interface EntryFormat<E> {

  /** Returns the stored form of an entry. */
  byte[] write(E entry);

  /**
   * Reads an entry.
   *
   * @param place the file's URL, for messages
   * @throws CorruptLogException if the text is not an entry, or this version cannot read it
   */
  E read(byte[] text, String place) throws CorruptLogException;

  /** Returns the UUID of an entry and of the attempt to append it. */
  UUID attempt(E entry);
}
