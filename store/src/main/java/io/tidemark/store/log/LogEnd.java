package io.tidemark.store.log;

import java.util.Optional;

/**
 * The end of a log.
 *
 * @param before the entry before the last entry, or the checkpoint that replaced it; empty if the
 *     log has only one entry or checkpoint
 * @param last the last entry, or the checkpoint if no entry follows it
 * @param <E> type of the entries
 */
public record LogEnd<E>(Optional<NumberedEntry<E>> before, NumberedEntry<E> last) {}
