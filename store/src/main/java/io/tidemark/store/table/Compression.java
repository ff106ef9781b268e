package io.tidemark.store.table;

import java.util.OptionalInt;

/**
 * The compression of a table's files.
 *
 * @param codec the codec's name in the files. Example: {@code snappy}
 * @param level the compression level; empty for the codec's default
 */
public record Compression(String codec, OptionalInt level) {}
