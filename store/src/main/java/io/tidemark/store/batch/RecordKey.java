package io.tidemark.store.batch;

import org.jspecify.annotations.Nullable;

/**
 * The key of a record, as it was delivered.
 *
 * @param bytes the key
 * @param idHeader the header that may have the key's schema id; null if there is none
 */
// Never compared.
@SuppressWarnings("ArrayRecordComponent")
public record RecordKey(byte[] bytes, byte @Nullable [] idHeader) {}
