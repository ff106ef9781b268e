package io.tidemark.store.log;

import java.util.Optional;

/**
 * The last entry of a log, or its checkpoint if no entry follows it; and the entry or checkpoint
 * before it, if there is one.
 */
public record LogEnd<E>(Optional<NumberedEntry<E>> before, NumberedEntry<E> last) {}
