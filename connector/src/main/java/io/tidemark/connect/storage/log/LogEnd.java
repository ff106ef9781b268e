package io.tidemark.connect.storage.log;

import java.util.Optional;

/**
 * The end of a log.
 *
 * @param before the entry before the last one, or the checkpoint in its place; none where the log
 *     has nothing else
 * @param last the last entry, or the checkpoint where no entry follows it
 * @param <E> the entries
 */
public record LogEnd<E>(Optional<NumberedEntry<E>> before, NumberedEntry<E> last) {}
