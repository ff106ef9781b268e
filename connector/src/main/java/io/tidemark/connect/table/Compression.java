package io.tidemark.connect.table;

import java.util.OptionalInt;

/**
 * How the files of a table are compressed.
 *
 * @param codec the name by which files state it. Example: {@code snappy}
 * @param level empty for the codec's own
 */
public record Compression(String codec, OptionalInt level) {}
