package io.tidemark.store.batch;

import org.jspecify.annotations.Nullable;

/** The key of a record; {@code idHeader} may have its schema id, and is null if there is none. */
// Never compared.
@SuppressWarnings("ArrayRecordComponent")
public record RecordKey(byte[] bytes, byte @Nullable [] idHeader) {}
