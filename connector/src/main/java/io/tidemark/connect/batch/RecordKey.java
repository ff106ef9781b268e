package io.tidemark.connect.batch;

import org.jspecify.annotations.Nullable;

/**
 * The key of a record, as it came.
 *
 * @param bytes the key
 * @param idHeader the header that may have its schema id; null where there is none
 */
// Nobody compares these.
@SuppressWarnings("ArrayRecordComponent")
public record RecordKey(byte[] bytes, byte @Nullable [] idHeader) {}
