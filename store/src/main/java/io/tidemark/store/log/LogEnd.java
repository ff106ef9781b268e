package io.tidemark.store.log;

import java.util.Optional;

/** The last entry, or the checkpoint if none follows it; and what is before it, if any. */
public record LogEnd<E>(Optional<NumberedEntry<E>> before, NumberedEntry<E> last) {}
